import { z } from 'zod';
import { isPublicHost } from '../extraction/public-host.ts';
import { type AnswerBlock, joinBlocks, selectAnswer } from './answer-text.ts';
import { adapter, type AskContext, type PlatformConfig } from './ask.ts';
import { readBody, tolerantList, toAnswer, uniqueQueries } from './body.ts';
import { costUsd, type Usage } from './cost.ts';
import { marketInstruction } from './market.ts';
import type { ParsedAnswer, PlatformAdapter, Source } from './platform.ts';
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
// Parts may also be thoughts, tool calls and their results: only text that is no thought is the answer.
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
const redirectPath = '/grounding-api-redirect/';
const maxRedirects = 20;
/** Segments that are looked for in the parts; an answer has a few dozen. */
const maxSegments = 200;
/** Ends that state why there is no text. `STOP` and an absent reason do not. */
const declinedReasons: ReadonlySet<string> = new Set([
  'SAFETY',
  'RECITATION',
  'LANGUAGE',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'MODEL_ARMOR',
]);
/** Ends with the whole text. */
const wholeReasons: ReadonlySet<string> = new Set(['', 'STOP', 'FINISH_REASON_UNSPECIFIED']);

/** Gemini generateContent with Google Search grounding. It has no field for a country: the market goes in words. */
export function createGeminiAdapter(config: PlatformConfig, http: PlatformHttp): PlatformAdapter {
  return adapter('gemini', config, http, async (context) => {
    const body = await send(context);
    const targets = await resolveRedirects(body, context);
    return {
      ...parseGemini(body, targets),
      localization: 'prompt',
      costUsd: costUsd(config.prices, usageOf(body)),
    };
  });
}

function send({ question, apiKey, config, http, signal }: AskContext): Promise<unknown> {
  const instruction = `${marketInstruction(question.country)} Use Google Search before answering.`;
  return http.json({
    method: 'POST',
    url: `${config.baseUrl}/v1beta/models/${encodeURIComponent(config.model)}:generateContent`,
    headers: { 'x-goog-api-key': apiKey },
    body: {
      systemInstruction: { parts: [{ text: instruction }] },
      contents: [{ role: 'user', parts: [{ text: question.prompt }] }],
      tools: [{ google_search: {} }],
    },
    signal,
  });
}

/** `targets` holds, for redirects whose chunk does not name its host, the addresses they lead to. */
export function parseGemini(raw: unknown, targets: ReadonlyMap<string, string> = new Map()): ParsedAnswer {
  const body = readBody(Body, raw);
  const candidate = body.candidates?.[0];
  const grounding = candidate?.groundingMetadata ?? {};
  const searchQueries = uniqueQueries(grounding.webSearchQueries ?? []);
  return toAnswer(textOf(candidate?.content?.parts ?? [], grounding), endingOf(body), {
    sources: sourcesOf(grounding, targets),
    searchQueries,
    model: body.modelVersion ?? null,
    searchUsed: searchQueries.length > 0 || (grounding.groundingChunks ?? []).length > 0,
  });
}

function endingOf({ candidates, promptFeedback }: z.infer<typeof Body>) {
  const reason = candidates?.[0]?.finishReason ?? '';
  const blockReason = promptFeedback?.blockReason ?? '';
  const isBlocked = blockReason !== '' && blockReason !== 'BLOCK_REASON_UNSPECIFIED';
  return {
    declined: isBlocked || declinedReasons.has(reason),
    truncated: !wholeReasons.has(reason),
    reason,
  };
}

/** The answer without thoughts; code between two texts makes them two paragraphs. */
function textOf(parts: readonly Part[], { groundingSupports: supports }: Grounding): string {
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

/** Only a chunk that a support names is cited; the others were retrieved. */
function sourcesOf(grounding: Grounding, targets: ReadonlyMap<string, string>): Source[] {
  const supports = grounding.groundingSupports ?? [];
  const supported = new Set(supports.flatMap((support) => support?.groundingChunkIndices ?? []));
  const sources = new SourceList();
  for (const [index, chunk] of (grounding.groundingChunks ?? []).entries()) {
    const page = chunk?.web ?? chunk?.maps;
    const address = addressOf(page, targets);
    if (supported.has(index)) sources.cite(address, page?.title);
    else sources.retrieve(address, page?.title);
  }
  return sources.toSources();
}

/** A redirect's own address says nothing and expires: its host stands in `domain` or `title`, else it was looked up. */
function addressOf(page: Page | null | undefined, targets: ReadonlyMap<string, string>): string | null {
  const uri = page?.uri ?? '';
  if (!isRedirect(uri)) return uri;
  const host = namedHost(page);
  return host === null ? (targets.get(uri) ?? null) : `https://${host}/`;
}

function namedHost(page: Page | null | undefined): string | null {
  return [page?.domain, page?.title].find((name) => name && isPublicHost(name)) ?? null;
}

function isRedirect(uri: string): boolean {
  if (!URL.canParse(uri)) return false;
  const url = new URL(uri);
  return url.hostname === redirectHost || url.pathname.includes(redirectPath);
}

async function resolveRedirects(
  raw: unknown,
  { config, http, signal }: AskContext,
): Promise<Map<string, string>> {
  const own = new Set([`https://${redirectHost}`, new URL(config.baseUrl).origin]);
  const chunks = readBody(Body, raw).candidates?.[0]?.groundingMetadata?.groundingChunks ?? [];
  const unknown = chunks
    .map((chunk) => chunk?.web)
    .filter(
      (web) => web?.uri && isRedirect(web.uri) && namedHost(web) === null && own.has(new URL(web.uri).origin),
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

function usageOf(raw: unknown): Usage {
  const { usageMetadata: usage, candidates } = Body.parse(raw);
  const queries = candidates?.[0]?.groundingMetadata?.webSearchQueries ?? [];
  return {
    inputTokens: usage?.promptTokenCount ?? 0,
    outputTokens: (usage?.candidatesTokenCount ?? 0) + (usage?.thoughtsTokenCount ?? 0),
    searches: uniqueQueries(queries).length,
    requests: 1,
  };
}
