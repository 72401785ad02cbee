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

const Document = z.object({
  brands: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      passages: z.array(z.object({ kind: z.string(), text: z.string() })),
    }),
  ),
});

/** The LLM judge behind OpenAI's Chat Completions API. Its sentiments are multiples of five, to differ from the lexicon's. */
export const llmJudgeWire: Wire = {
  platform: 'judge',
  method: 'POST',
  path: /^\/openai\/v1\/chat\/completions$/,
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
  const document = Document.parse(JSON.parse(text));
  const judgements = document.brands.map(({ id, passages }) => ({
    id,
    sentiment: Math.round(10 + 8 * rateTone(passages.map(({ text }) => text).join(' '), 'en')) * 5,
  }));
  if (trouble === 'garbage') return '```json\n{"judgements": [{"id": 0, "sentim';
  if (trouble === 'empty') return '';
  if (trouble === 'wrong-brands') judgements.push({ id: 99, sentiment: 100 });
  const rated =
    trouble === 'out-of-range' ? judgements.map(({ id }) => ({ id, sentiment: 140 })) : judgements;
  return JSON.stringify({ judgements: rated });
}
