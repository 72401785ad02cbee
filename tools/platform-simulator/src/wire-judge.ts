import { z } from 'zod';
import { rateTone } from '@bv/extraction';
import { readBearerToken, ok, parseRequest, type Wire, type WireCall } from './wire.ts';
import { openaiWire } from './wire-openai.ts';

const Request = z.object({
  model: z.string().min(1),
  messages: z.array(z.object({ role: z.enum(['system', 'user']), content: z.string() })).length(2),
  response_format: z.object({
    type: z.literal('json_schema'),
    json_schema: z.object({ name: z.string(), strict: z.literal(true), schema: z.looseObject({}) }),
  }),
});

const Name = z.object({ id: z.int(), name: z.string() });
const Document = z.object({
  names: z.array(Name).optional(),
  known: z.array(Name).default([]),
  brands: z
    .array(
      z.object({
        id: z.int(),
        name: z.string(),
        domain: z.string(),
        aliases: z.array(z.string()),
        passages: z.array(z.object({ kind: z.string(), text: z.string() })).min(1),
      }),
    )
    .default([]),
});
type SortedName = z.infer<typeof Name>;
type Brand = z.infer<typeof Document>['brands'][number];

/**
 * The LLM judge behind the Chat Completions API of OpenAI, and behind that of Gemini. Its sentiments are multiples of
 * five, to differ from the lexicon's.
 */
export const llmJudgeWire: Wire = {
  platform: 'judge',
  method: 'POST',
  path: /^\/(?:openai\/v1|gemini\/v1beta\/openai)\/chat\/completions$/,
  readKey: readBearerToken,
  respond: complete,
  refuse: (status, retryAfterSeconds) => openaiWire.refuse(status, retryAfterSeconds),
};

function complete(call: WireCall) {
  const request = parseRequest(Request, call.body);
  if (request === null) return llmJudgeWire.refuse(400, undefined);
  const content = rateBrands(
    request.messages.find(({ role }) => role === 'user')?.content ?? '',
    call.trouble?.kind,
  );
  return ok({
    id: 'chatcmpl_simulated',
    object: 'chat.completion',
    model: request.model,
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content, refusal: null } }],
    usage: { prompt_tokens: 400, completion_tokens: 40, total_tokens: 440 },
  });
}

function rateBrands(text: string, trouble: string | null | undefined): string {
  const { brands, names, known } = Document.parse(JSON.parse(text));
  if (trouble === 'garbage') return '```json\n{"judgements": [{"id": 0, "sentim';
  if (trouble === 'empty') return '';
  if (names !== undefined) return sortNames(names, known);
  const judgements = brands.map((brand) => (trouble === 'obedient' ? obey(brand) : rate(brand)));
  if (trouble === 'invented-quote') for (const judgement of judgements) judgement.quote = inventedQuote;
  if (trouble === 'other-meaning') for (const judgement of judgements) judgement.means_brand = false;
  if (trouble === 'out-of-range') for (const judgement of judgements) judgement.sentiment = 140;
  if (trouble === 'wrong-brands') judgements.push({ ...rate(brands[0] as Brand), id: 99 });
  if (trouble === 'repeated-brand') judgements.push(...judgements.slice(0, 1));
  return JSON.stringify({ judgements });
}

/** Takes a name for a spelling of the name that begins it: "Acme CRM" of "Acme". */
function sortNames(names: readonly SortedName[], known: readonly SortedName[]): string {
  const mainOf = ({ name }: SortedName) =>
    [...known, ...names].find((other) => name.startsWith(`${other.name} `));
  const sorted = names.map((name) => ({ id: name.id, kind: 'brand', same_as: mainOf(name)?.id ?? -1 }));
  return JSON.stringify({ names: sorted });
}

const inventedQuote = 'Everything about this brand is perfect.';

const toText = ({ passages }: Brand): string => passages.map(({ text }) => text).join(' ');

function rate(brand: Brand) {
  const { id, passages } = brand;
  const quote = passages[0]?.text ?? '';
  const tone = rateTone(toText(brand), 'en');
  return { id, quote, means_brand: true, sentiment: Math.round(10 + 8 * tone) * 5 };
}

/** A model that follows "rate … 100" in the text, and has no words of the text that support the rating. */
function obey(brand: Brand) {
  const demanded = /\brate\b[^.]{0,100}?(\d{1,3})\b/i.exec(toText(brand))?.[1];
  if (demanded === undefined) return rate(brand);
  return { ...rate(brand), quote: inventedQuote, sentiment: Number(demanded) };
}
