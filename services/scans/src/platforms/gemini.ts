import { z } from 'zod';
import { resolveLink } from '@bv/source-url';
import {
  type AnswerBlock,
  joinBlocks,
  readBody,
  selectAnswer,
  toAnswer,
  tolerantList,
  uniqueQueries,
} from './answer.ts';
import { costUsd, createAdapter, type PlatformConfig, type RequestContext } from './adapter.ts';
import { marketInstruction } from './market.ts';
import type { ParsedBody, PlatformAdapter, Usage } from './platform.ts';
import type { PlatformHttp } from './platform-http.ts';
import { SourceList } from './sources.ts';

const text = z.string().nullish().catch(null);
const Page = z.object({ uri: text, title: text, domain: text });
type Page = z.infer<typeof Page>;
const Chunk = z.object({ web: Page.nullish().catch(null), maps: Page.nullish().catch(null) });
const Grounding = z.object({
  webSearchQueries: tolerantList(z.string()).nullish().catch(null),
  groundingChunks: tolerantList(Chunk).nullish().catch(null),
  groundingSupports: tolerantList(
    z.object({
      groundingChunkIndices: tolerantList(z.number()).nullish().catch(null),
      segment: z.object({ text }).nullish().catch(null),
    }),
  )
    .nullish()
    .catch(null),
});
type Grounding = z.infer<typeof Grounding>;
// Parts may also be thoughts, tool calls and their results: only text that is not a thought is the answer.
const Part = z.object({
  text: z.string().nullish(),
  thought: z.boolean().nullish().catch(null),
  toolResponse: z.object({ toolType: text }).nullish().catch(null),
});
type Part = z.infer<typeof Part>;
const Candidate = z.object({
  content: z.object({ parts: z.array(Part).nullish() }).nullish(),
  finishReason: text,
  groundingMetadata: Grounding.nullish().catch(null),
});
const Body = z
  .object({
    candidates: z.array(Candidate).nullish(),
    promptFeedback: z.object({ blockReason: text }).nullish().catch(null),
    modelVersion: text,
    usageMetadata: z
      .object({
        promptTokenCount: z.number().nullish(),
        candidatesTokenCount: z.number().nullish(),
        thoughtsTokenCount: z.number().nullish(),
      })
      .nullish()
      .catch(null),
  })
  .refine((body) => (body.candidates?.length ?? 0) > 0 || body.promptFeedback, { path: ['candidates'] });

const redirectHost = 'vertexaisearch.cloud.google.com';
const maxRedirects = 20;
/** Maximum of cited segments to search in the parts; an answer has a few dozen. */
const maxSegments = 200;
/** Finish reasons that state why there is no text. `STOP` and an absent reason do not. */
const declinedReasons: ReadonlySet<string> = new Set([
  'SAFETY',
  'RECITATION',
  'LANGUAGE',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'MODEL_ARMOR',
]);
/** Finish reasons with a complete text. */
const completeReasons: ReadonlySet<string> = new Set(['', 'STOP', 'FINISH_REASON_UNSPECIFIED']);

/** Gemini generateContent with Google Search grounding. It has no country field: the prompt states the market. */
export function createGeminiAdapter(config: PlatformConfig, http: PlatformHttp): PlatformAdapter {
  return createAdapter('gemini', config, http, async (context) => {
    const body = await send(context);
    const targets = await resolveRedirects(body, context);
    const answer = parseGemini(body, targets);
    return { ...answer, localization: 'prompt', costUsd: costUsd(config.prices, answer.usage) };
  });
}

function send({ request, apiKey, config, http, signal }: RequestContext): Promise<unknown> {
  const instruction = `${marketInstruction(request.country)} Use Google Search before answering.`;
  return http.json({
    method: 'POST',
    url: `${config.baseUrl}/v1beta/models/${encodeURIComponent(config.model)}:generateContent`,
    headers: { 'x-goog-api-key': apiKey },
    body: {
      systemInstruction: { parts: [{ text: instruction }] },
      contents: [{ role: 'user', parts: [{ text: request.prompt }] }],
      tools: [{ google_search: {} }],
    },
    signal,
  });
}

/** `targets` maps redirect URLs to their locations, for chunks that do not name their host. */
export function parseGemini(raw: unknown, targets: ReadonlyMap<string, string> = new Map()): ParsedBody {
  const body = readBody(Body, raw);
  const candidate = body.candidates?.[0];
  const grounding = candidate?.groundingMetadata ?? {};
  const searchQueries = uniqueQueries(grounding.webSearchQueries ?? []);
  const answer = toAnswer(parseText(candidate?.content?.parts ?? [], grounding), parseFinish(body), {
    ...parseSources(grounding, targets),
    searchQueries,
    model: body.modelVersion ?? null,
    searchUsed: searchQueries.length > 0 || (grounding.groundingChunks ?? []).length > 0,
  });
  return { ...answer, usage: toUsage(body) };
}

function parseFinish({ candidates, promptFeedback }: z.infer<typeof Body>) {
  const reason = candidates?.[0]?.finishReason ?? '';
  const blockReason = promptFeedback?.blockReason ?? '';
  const isBlocked = blockReason !== '' && blockReason !== 'BLOCK_REASON_UNSPECIFIED';
  return {
    declined: isBlocked || declinedReasons.has(reason),
    truncated: !completeReasons.has(reason),
    reason,
  };
}

/** The answer without thoughts. Code between two texts starts a new paragraph. */
function parseText(parts: readonly Part[], { groundingSupports: supports }: Grounding): string {
  const cited = (supports ?? []).slice(0, maxSegments).map((support) => support?.segment?.text);
  const texts = parts.map((part) => (part.thought === true ? null : (part.text ?? null)));
  const isAnswer = selectAnswer(
    parts.map((part, index): AnswerBlock => {
      if (/SEARCH/.test(part.toolResponse?.toolType ?? '')) return { kind: 'tool' };
      const text = texts[index]?.trim() ?? '';
      if (text === '') return { kind: 'other' };
      return { kind: 'text', hasCitations: cited.some((segment) => segment && text.includes(segment)) };
    }),
  );
  return joinBlocks(texts.map((text, index) => (isAnswer[index] ? text : null)));
}

/** A chunk is cited if a support refers to it; the others are retrieved. */
function parseSources(grounding: Grounding, targets: ReadonlyMap<string, string>) {
  const supports = grounding.groundingSupports ?? [];
  const supported = new Set(supports.flatMap((support) => support?.groundingChunkIndices ?? []));
  const sources = new SourceList();
  for (const [index, chunk] of (grounding.groundingChunks ?? []).entries()) {
    const page = chunk?.web ?? chunk?.maps;
    const uri = page?.uri ?? '';
    const link = { url: targets.get(uri) ?? uri, title: page?.title, names: toNames(page) };
    if (supported.has(index)) sources.cite(link);
    else sources.retrieve(link);
  }
  return sources.toCitations();
}

/** A title is usually the host of the page. */
const toNames = (page: Page | null | undefined) => [page?.domain, page?.title];

async function resolveRedirects(
  raw: unknown,
  { config, http, signal }: RequestContext,
): Promise<Map<string, string>> {
  const own = new Set([`https://${redirectHost}`, new URL(config.baseUrl).origin]);
  const chunks = readBody(Body, raw).candidates?.[0]?.groundingMetadata?.groundingChunks ?? [];
  const unknown = chunks
    .map((chunk) => chunk?.web)
    .filter(
      (web) => web?.uri && resolveLink(web.uri, toNames(web)) === null && own.has(new URL(web.uri).origin),
    )
    .map((web) => web?.uri ?? '');
  const found = new Map<string, string>();
  await Promise.all(
    [...new Set(unknown)].slice(0, maxRedirects).map(async (uri) => {
      const target = await http.redirectTarget(uri, signal);
      if (target !== null) found.set(uri, target);
    }),
  );
  return found;
}

function toUsage({ usageMetadata: usage, candidates }: z.infer<typeof Body>): Usage {
  const queries = candidates?.[0]?.groundingMetadata?.webSearchQueries ?? [];
  return {
    inputTokens: usage?.promptTokenCount ?? 0,
    outputTokens: (usage?.candidatesTokenCount ?? 0) + (usage?.thoughtsTokenCount ?? 0),
    searches: uniqueQueries(queries).length,
    requests: 1,
  };
}
