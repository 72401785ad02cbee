import { z } from 'zod';
import { isPresent, joinBlocks, readBody, toAnswer, tolerantList, uniqueQueries } from './answer.ts';
import { costUsd, createAdapter, type PlatformConfig, type RequestContext } from './adapter.ts';
import { marketInstruction, requestForMarket } from './market.ts';
import { type ListedSource, parseSources, type PerplexityBody, withoutThoughts } from './perplexity-text.ts';
import type { PlatformAdapter, Usage } from './platform.ts';
import type { PlatformHttp } from './platform-http.ts';

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

/** Perplexity's chat completions, also of compatible services. */
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
      ...parseSources(answerText, listed, (number) => listed[number - 1]),
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

function listedSources({ search_results: results, citations }: Body): readonly ListedSource[] {
  return results?.some(isPresent) ? results : (citations ?? []).map((url) => (url === null ? null : { url }));
}

function toUsage({ usage }: Body): Usage {
  return {
    inputTokens: usage?.prompt_tokens ?? 0,
    outputTokens: usage?.completion_tokens ?? 0,
    searches: usage?.num_search_queries ?? 1,
    requests: 1,
  };
}
