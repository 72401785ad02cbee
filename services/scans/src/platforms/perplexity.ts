import { z } from 'zod';
import { isPresent, joinBlocks, readBody, toAnswer, tolerantList, uniqueQueries } from './answer.ts';
import { costUsd, createAdapter, type PlatformConfig, type RequestContext } from './adapter.ts';
import { marketInstruction, requestForMarket } from './market.ts';
import type { ParsedBody, PlatformAdapter, Source, Usage } from './platform.ts';
import type { PlatformHttp } from './platform-http.ts';
import { SourceList } from './sources.ts';

const text = z.string().nullish().catch(null);
/** A string from this service; compatible services also send a list of parts. */
const Content = z.union([z.string(), z.array(z.object({ type: text, text }))]);
const Message = z.object({ content: Content.nullish(), refusal: text });
const Body = z.object({
  model: text,
  choices: z.array(z.object({ message: Message, finish_reason: text })).min(1),
  // Markers are positions in the list: an invalid entry becomes null instead of being removed.
  citations: tolerantList(z.string()).nullish().catch(null),
  search_results: tolerantList(z.object({ url: text, title: text }))
    .nullish()
    .catch(null),
  search_queries: tolerantList(z.string()).nullish().catch(null),
  usage: z
    .object({
      prompt_tokens: z.number(),
      completion_tokens: z.number(),
      num_search_queries: z.number().nullish().catch(null),
      cost: z.object({ total_cost: z.number() }).nullish().catch(null),
    })
    .nullish()
    .catch(null),
});

type Body = z.infer<typeof Body>;

/** Perplexity Sonar. */
export function createPerplexityAdapter(config: PlatformConfig, http: PlatformHttp): PlatformAdapter {
  return createAdapter('perplexity', config, http, async (context) => {
    const { answer: body, localization } = await requestForMarket((native) => send(context, native));
    const { statedCostUsd, ...answer } = parsePerplexity(body);
    return { ...answer, localization, costUsd: statedCostUsd ?? costUsd(config.prices, answer.usage) };
  });
}

function send({ request, apiKey, config, http, signal }: RequestContext, native: boolean): Promise<unknown> {
  const system = { role: 'system', content: marketInstruction(request.country) };
  return http.json({
    method: 'POST',
    url: `${config.baseUrl}/chat/completions`,
    headers: { authorization: `Bearer ${apiKey}` },
    body: {
      model: config.model,
      messages: [...(native ? [] : [system]), { role: 'user', content: request.prompt }],
      ...(native ? { web_search_options: { user_location: { country: request.country } } } : {}),
    },
    signal,
  });
}

/** The cost that the service states has precedence over the configured prices. */
type PerplexityBody = ParsedBody & { statedCostUsd: number | null };

export function parsePerplexity(raw: unknown): PerplexityBody {
  const body = readBody(Body, raw);
  const [choice] = body.choices;
  const answerText = withoutThoughts(parseText(choice?.message.content));
  const listed = listedSources(body);
  const reason = choice?.finish_reason;
  const answer = toAnswer(
    answerText,
    {
      declined: reason === 'content_filter' || Boolean(choice?.message.refusal),
      truncated: reason === 'length' || reason === 'content_filter',
      reason,
    },
    {
      sources: parseSources(answerText, listed),
      searchQueries: uniqueQueries(body.search_queries ?? []),
      model: body.model ?? null,
      searchUsed: listed.some(isPresent),
    },
  );
  return { ...answer, usage: toUsage(body), statedCostUsd: body.usage?.cost?.total_cost ?? null };
}

function parseText(content: z.infer<typeof Content> | null | undefined): string {
  if (!Array.isArray(content)) return content ?? '';
  return joinBlocks(content.map((part) => (!part.type || part.type === 'text' ? (part.text ?? '') : null)));
}

type Listed = { url?: string | null | undefined; title?: string | null | undefined } | null;

function listedSources({ search_results: results, citations }: Body): readonly Listed[] {
  return results?.some(isPresent) ? results : (citations ?? []).map((url) => (url === null ? null : { url }));
}

function parseSources(answerText: string, listed: readonly Listed[]): Source[] {
  const marked = markedNumbers(answerText);
  const sources = new SourceList();
  // An answer without markers is still based on its list: all sources count as cited.
  const cited = marked.length > 0 ? marked.map((number) => listed[number - 1]) : listed;
  for (const source of cited) sources.cite(source?.url, source?.title);
  for (const source of listed) sources.retrieve(source?.url, source?.title);
  return sources.toSources();
}

function toUsage({ usage }: Body): Usage {
  return {
    inputTokens: usage?.prompt_tokens ?? 0,
    outputTokens: usage?.completion_tokens ?? 0,
    searches: usage?.num_search_queries ?? 1,
    requests: 1,
  };
}

const openingTag = /(?<!`)<think(?:ing)?>/i;
/** An unclosed block of thoughts starts a line. Inside a line, the tag is text. */
const unclosedTag = /(?:^|\n)\s{0,20}<think(?:ing)?>/i;
const closingTag = /(?<!`)<\/think(?:ing)?>/gi;

/**
 * Removes the model's thoughts. Reasoning models write them before the answer, between `<think>` and `</think>`. The
 * opening tag may be absent. The closing tag is absent if the answer was cut off.
 */
function withoutThoughts(content: string): string {
  let rest = '';
  let from = 0;
  for (const { index, 0: tag } of content.matchAll(closingTag)) {
    const block = content.slice(from, index);
    const opened = openingTag.exec(block);
    // Without an opening tag, everything before the closing tag is thoughts.
    rest = opened === null ? '' : rest + block.slice(0, opened.index);
    from = index + tag.length;
  }
  const last = content.slice(from);
  const answer = rest + last.slice(0, unclosedTag.exec(last)?.index);
  return answer === content ? content : answer.trim();
}

const markerNumber = String.raw`(?:web:)?(\d{1,2})`;
const marker = new RegExp(
  String.raw`\[\s?\^?(?:web:)?\d{1,2}(?:\s?[,;–-]\s?(?:web:)?\d{1,2}){0,30}\s?\]`,
  'g',
);
const markerItem = new RegExp(String.raw`${markerNumber}(?:\s?[–-]\s?${markerNumber})?`, 'g');

/**
 * The source numbers that the text cites, in order of first occurrence: `[1]`, `[1, 2]`, `[1-3]`, `[web:1]`. A number
 * above the length of the list is still a marker. A number of three digits is not.
 */
function markedNumbers(text: string): number[] {
  const numbers = Array.from(text.matchAll(marker), ([match]) =>
    Array.from(match.matchAll(markerItem), ([, first, last = first]) => range(Number(first), Number(last))),
  ).flat(2);
  return [...new Set(numbers.filter((each) => each >= 1))];
}

function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(1, last - first + 1) }, (_, index) => first + index);
}
