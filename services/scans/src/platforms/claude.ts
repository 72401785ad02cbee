import { z } from 'zod';
import { joinBlocks, readBody, selectAnswer, toAnswer, tolerantList, uniqueQueries } from './answer.ts';
import { costUsd, createAdapter, type PlatformConfig, type RequestContext } from './adapter.ts';
import { marketInstruction, requestForMarket } from './market.ts';
import {
  PlatformError,
  type ParsedBody,
  type PlatformAdapter,
  type PlatformErrorKind,
  type Usage,
} from './platform.ts';
import type { PlatformHttp } from './platform-http.ts';
import { SourceList } from './sources.ts';

const text = z.string().nullish().catch(null);
const Link = z.object({ type: text, url: text, title: text });
const Block = z.object({
  type: z.string(),
  text: z.string().nullish(),
  name: text,
  input: z.object({ query: text }).nullish().catch(null),
  citations: tolerantList(Link).nullish().catch(null),
  content: z
    .union([tolerantList(Link), z.object({ type: z.string(), error_code: text })])
    .nullish()
    .catch(null),
});
type Block = z.infer<typeof Block>;
const Body = z.object({
  model: text,
  stop_reason: text,
  content: z.array(Block),
  usage: z
    .object({
      input_tokens: z.number(),
      output_tokens: z.number(),
      server_tool_use: z.object({ web_search_requests: z.number().nullish() }).nullish().catch(null),
    })
    .nullish()
    .catch(null),
});
type Body = z.infer<typeof Body>;
/** The unparsed blocks: the request that continues a paused turn repeats all of them. */
const RawTurn = z.object({ content: z.array(z.unknown()), stop_reason: text });

/** The version without code execution. Later versions may search inside code, and the text then has no citations. */
const searchTool = { type: 'web_search_20250305', name: 'web_search', max_uses: 5 };
const maxTokens = 4096;
const maxContinuations = 4;

/** Anthropic Messages with the web_search tool. */
export function createClaudeAdapter(config: PlatformConfig, http: PlatformHttp): PlatformAdapter {
  return createAdapter('claude', config, http, async (context) => {
    const { answer: turns, localization } = await requestForMarket((native) =>
      requestAllTurns(context, native),
    );
    const answer = parseClaude(turns);
    return { ...answer, localization, costUsd: costUsd(config.prices, answer.usage) };
  });
}

/** The service pauses a long turn; a request that repeats its content continues it. All parts are one answer. */
async function requestAllTurns(context: RequestContext, native: boolean): Promise<unknown[]> {
  const turns: unknown[] = [];
  const content: unknown[] = [];
  for (let attempt = 0; attempt <= maxContinuations; attempt += 1) {
    const turn = await send(context, native, content);
    const { content: blocks, stop_reason: stopReason } = readBody(RawTurn, turn);
    turns.push(turn);
    content.push(...blocks);
    if (stopReason !== 'pause_turn') return turns;
  }
  throw new PlatformError('unavailable', 'the turn was paused too often', { status: 200 });
}

function send(
  { request, apiKey, config, http, signal }: RequestContext,
  native: boolean,
  previousContent: unknown[],
): Promise<unknown> {
  const location = { type: 'approximate', country: request.country };
  const first = { role: 'user', content: request.prompt };
  return http.json({
    method: 'POST',
    url: `${config.baseUrl}/v1/messages`,
    headers: { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' },
    body: {
      model: config.model,
      max_tokens: maxTokens,
      ...(native ? {} : { system: marketInstruction(request.country) }),
      messages:
        previousContent.length === 0 ? [first] : [first, { role: 'assistant', content: previousContent }],
      tools: [{ ...searchTool, ...(native ? { user_location: location } : {}) }],
      // Without a forced search the model skips it in some answers, which would count as "not cited".
      ...(previousContent.length === 0 ? { tool_choice: { type: 'tool', name: searchTool.name } } : {}),
    },
    signal,
  });
}

/** Parses the bodies of one answer, in order. There are several if the turn was paused. */
export function parseClaude(rawTurns: readonly unknown[]): ParsedBody {
  const turns = rawTurns.map((raw) => readBody(Body, raw));
  const blocks = turns.flatMap((turn) => turn.content);
  const last = turns.at(-1);
  const results = blocks.filter((block) => block.type === 'web_search_tool_result');
  const searched = results.some((block) => Array.isArray(block.content));
  if (!searched) throwIfSearchFailed(results);
  const stopReason = last?.stop_reason ?? '';
  const isCut = cutReasons.has(stopReason);
  const answer = toAnswer(
    parseText(blocks, isCut),
    { declined: stopReason === 'refusal', truncated: isCut, reason: stopReason },
    {
      ...parseSources(blocks),
      searchQueries: uniqueQueries(blocks.filter(isSearchCall).map((block) => block.input?.query)),
      model: last?.model ?? null,
      searchUsed: searched,
    },
  );
  return { ...answer, usage: toUsage(turns) };
}

/** Stop reasons that leave the text incomplete. */
const cutReasons: ReadonlySet<string> = new Set(['max_tokens', 'model_context_window_exceeded', 'refusal']);

function parseText(blocks: readonly Block[], isCut: boolean): string {
  const isAnswer = selectAnswer(
    blocks.map(({ type, text: content, citations }) => {
      if (type === 'text' && content?.trim())
        return { kind: 'text', hasCitations: Boolean(citations?.length) };
      return { kind: /tool_(?:use|result)$/.test(type) ? 'tool' : 'other' };
    }),
    { isCut },
  );
  return joinBlocks(
    blocks.map((block, index) => (isAnswer[index] && block.type === 'text' ? (block.text ?? '') : null)),
  );
}

/** Pages that the text cites are cited; the other search results were retrieved. */
function parseSources(blocks: readonly Block[]) {
  const sources = new SourceList();
  for (const citation of blocks.flatMap((block) => block.citations ?? [])) sources.cite(citation);
  for (const block of blocks) {
    if (block.type !== 'web_search_tool_result' || !Array.isArray(block.content)) continue;
    for (const result of block.content) sources.retrieve(result);
  }
  return sources.toCitations();
}

function isSearchCall(block: Block): boolean {
  return block.type === 'server_tool_use' && block.name === 'web_search';
}

const searchErrorKinds: Record<string, PlatformErrorKind> = {
  too_many_requests: 'rate_limited',
  unavailable: 'unavailable',
};

/** The service reports a failed search in a 200 response. As an answer without sources it would count as a false zero. */
function throwIfSearchFailed(results: readonly Block[]): void {
  if (results.some((block) => !block.content)) {
    throw new PlatformError('malformed', 'a search result of another shape', { status: 200 });
  }
  const failed = results.find((block) => block.content && !Array.isArray(block.content));
  if (failed?.content === undefined || failed.content === null || Array.isArray(failed.content)) return;
  const code = failed.content.error_code ?? 'unknown';
  // The other codes reject a query that the model wrote. A retry has another query.
  throw new PlatformError(searchErrorKinds[code] ?? 'rejected', `the web search failed: ${code}`, {
    status: 200,
    retryable: true,
  });
}

function toUsage(turns: readonly Body[]): Usage {
  const sum = (read: (usage: NonNullable<Body['usage']>) => number): number =>
    turns.reduce((total, { usage }) => total + (usage ? read(usage) : 0), 0);
  return {
    inputTokens: sum((usage) => usage.input_tokens),
    outputTokens: sum((usage) => usage.output_tokens),
    searches: sum((usage) => usage.server_tool_use?.web_search_requests ?? 0),
    requests: turns.length,
  };
}
