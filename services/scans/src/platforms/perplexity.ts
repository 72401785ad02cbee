import { z } from 'zod';
import { joinBlocks } from './answer-text.ts';
import { adapter, type AskContext, type PlatformConfig } from './ask.ts';
import { isPresent, readBody, tolerantList, toAnswer, uniqueQueries } from './body.ts';
import { costUsd, type Prices } from './cost.ts';
import { askForMarket, marketInstruction } from './market.ts';
import { markedNumbers, withoutThoughts } from './perplexity-text.ts';
import type { ParsedAnswer, PlatformAdapter, Source } from './platform.ts';
import type { PlatformHttp } from './platform-http.ts';
import { SourceList } from './sources.ts';

const text = z.string().nullish().catch(null);
/** A string from this service; compatible ones also send a list of parts. */
const Content = z.union([z.string(), z.array(z.object({ type: text, text }))]);
const Message = z.object({ content: Content.nullish(), refusal: text });
const Body = z.object({
  model: text,
  choices: z.array(z.object({ message: Message, finish_reason: text })).min(1),
  // The markers count entries: one of another shape keeps its place.
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
  return adapter('perplexity', config, http, async (context) => {
    const { answer: body, localization } = await askForMarket((native) => send(context, native));
    return { ...parsePerplexity(body), localization, costUsd: costOf(body, config.prices) };
  });
}

function send({ question, apiKey, config, http, signal }: AskContext, native: boolean): Promise<unknown> {
  const system = { role: 'system', content: marketInstruction(question.country) };
  return http.json({
    method: 'POST',
    url: `${config.baseUrl}/chat/completions`,
    headers: { authorization: `Bearer ${apiKey}` },
    body: {
      model: config.model,
      messages: [...(native ? [] : [system]), { role: 'user', content: question.prompt }],
      ...(native ? { web_search_options: { user_location: { country: question.country } } } : {}),
    },
    signal,
  });
}

export function parsePerplexity(raw: unknown): ParsedAnswer {
  const body = readBody(Body, raw);
  const [choice] = body.choices;
  const answerText = withoutThoughts(textOf(choice?.message.content));
  const listed = listedSources(body);
  const reason = choice?.finish_reason;
  return toAnswer(
    answerText,
    {
      declined: reason === 'content_filter' || Boolean(choice?.message.refusal),
      truncated: reason === 'length' || reason === 'content_filter',
      reason,
    },
    {
      sources: sourcesOf(answerText, listed),
      searchQueries: uniqueQueries(body.search_queries ?? []),
      model: body.model ?? null,
      searchUsed: listed.some(isPresent),
    },
  );
}

function textOf(content: z.infer<typeof Content> | null | undefined): string {
  if (!Array.isArray(content)) return content ?? '';
  return joinBlocks(content.map((part) => (!part.type || part.type === 'text' ? (part.text ?? '') : null)));
}

type Listed = { url?: string | null | undefined; title?: string | null | undefined } | null;

function listedSources({ search_results: results, citations }: Body): readonly Listed[] {
  return results?.some(isPresent) ? results : (citations ?? []).map((url) => (url === null ? null : { url }));
}

function sourcesOf(answerText: string, listed: readonly Listed[]): Source[] {
  const marked = markedNumbers(answerText);
  const sources = new SourceList();
  // An answer without any marker was still written from its list: all of it counts as cited.
  const cited = marked.length > 0 ? marked.map((number) => listed[number - 1]) : listed;
  for (const source of cited) sources.cite(source?.url, source?.title);
  for (const source of listed) sources.retrieve(source?.url, source?.title);
  return sources.toSources();
}

/** The service states what a call cost; only without that is it reckoned from our own prices. */
function costOf(raw: unknown, prices: Prices | undefined): number | null {
  const { usage } = Body.parse(raw);
  return (
    usage?.cost?.total_cost ??
    costUsd(prices, {
      inputTokens: usage?.prompt_tokens ?? 0,
      outputTokens: usage?.completion_tokens ?? 0,
      searches: usage?.num_search_queries ?? 1,
      requests: 1,
    })
  );
}
