import { z } from 'zod';
import {
  type AnswerBlock,
  isPresent,
  joinBlocks,
  readBody,
  selectAnswer,
  toAnswer,
  tolerantList,
  uniqueQueries,
} from './answer.ts';
import { costUsd, createAdapter, type PlatformConfig, type RequestContext } from './adapter.ts';
import { marketInstruction, requestForMarket } from './market.ts';
import { hasMarkers, parseSources, type PerplexityBody, withoutThoughts } from './perplexity-text.ts';
import { PlatformError, type PlatformAdapter, type Usage } from './platform.ts';
import type { PlatformHttp } from './platform-http.ts';

const text = z.string().nullish().catch(null);
const Content = z.object({ type: z.string(), text: z.string().nullish() });
const Result = z.object({ id: z.number().nullish().catch(null), url: text, title: text });
const Item = z.object({
  type: z.string(),
  status: text,
  content: z.array(Content).nullish().catch(null),
  queries: tolerantList(z.string()).nullish().catch(null),
  // Without ids, markers are positions in the list: an invalid entry becomes null instead of being removed.
  results: tolerantList(Result).nullish().catch(null),
});
type Item = z.infer<typeof Item>;
const Body = z.object({
  model: text,
  status: text,
  incomplete_details: z.object({ reason: text }).nullish().catch(null),
  output: z.array(Item),
  usage: z
    .object({
      input_tokens: z.number(),
      output_tokens: z.number(),
      tool_calls_details: z
        .object({ search_web: z.object({ invocation: z.number() }) })
        .nullish()
        .catch(null),
      cost: z.object({ total_cost: z.number() }).nullish().catch(null),
    })
    .nullish()
    .catch(null),
});
type Body = z.infer<typeof Body>;

/** Maximum of searches of a prompt, so that its cost and duration have a limit. */
const maxSteps = 5;

/** Perplexity's Agent API with the web_search tool. */
export function createPerplexityAgentAdapter(config: PlatformConfig, http: PlatformHttp): PlatformAdapter {
  return createAdapter('perplexity', config, http, async (context) => {
    const { answer: body, localization } = await requestForMarket((native) => send(context, native));
    const { statedCostUsd, ...answer } = parsePerplexityAgent(body);
    return { ...answer, localization, costUsd: statedCostUsd ?? costUsd(config.prices, answer.usage) };
  });
}

/** The service rejects a request with any field that it does not know. */
function send({ request, apiKey, config, http, signal }: RequestContext, native: boolean): Promise<unknown> {
  const location = { country: request.country };
  return http.json({
    method: 'POST',
    url: `${config.baseUrl}/v1/agent`,
    headers: { authorization: `Bearer ${apiKey}` },
    body: {
      // A preset could choose a model of another vendor.
      model: config.model,
      input: request.prompt,
      ...(native ? {} : { instructions: marketInstruction(request.country) }),
      tools: [{ type: 'web_search', ...(native ? { user_location: location } : {}) }],
      // With the tool alone, the model decides whether it searches.
      tool_choice: { type: 'web_search' },
      max_steps: maxSteps,
      store: false,
    },
    signal,
  });
}

export function parsePerplexityAgent(raw: unknown): PerplexityBody {
  const body = readBody(Body, raw);
  if (body.status === 'failed' || body.status === 'cancelled') {
    throw new PlatformError('unavailable', `the response is ${body.status}`, { status: 200 });
  }
  const searches = body.output.filter(isSearch);
  const results = searches.flatMap((item) => item.results ?? []);
  const answerText = withoutThoughts(parseText(body));
  const answer = toAnswer(answerText, parseFinish(body), {
    ...parseSources(answerText, results, numberResults(results)),
    searchQueries: uniqueQueries(searches.flatMap((item) => item.queries ?? [])),
    model: body.model ?? null,
    searchUsed: searches.length > 0,
  });
  return { ...answer, usage: toUsage(body), statedCostUsd: body.usage?.cost?.total_cost ?? null };
}

function isSearch({ type }: Item): boolean {
  return type === 'search_results';
}

/** Finds the result of a marker: by id, or by position if the service sends no ids. */
function numberResults(results: readonly (z.infer<typeof Result> | null)[]) {
  const withId = results.filter(isPresent).filter(({ id }) => isPresent(id));
  // The first search that uses a number keeps it.
  const byId = new Map(withId.map((result) => [result.id, result] as const).toReversed());
  return (number: number) => (byId.size > 0 ? byId.get(number) : results[number - 1]);
}

/** The answer without messages that announce a search. */
function parseText(body: Body): string {
  const isAnswer = selectAnswer(body.output.map(toBlock), { isCut: !isFinished(body) });
  return joinBlocks(
    body.output.flatMap((item, index) =>
      isAnswer[index] && isMessage(item) ? [null, ...toTexts(item)] : [null],
    ),
  );
}

function toBlock(item: Item): AnswerBlock {
  if (isSearch(item)) return { kind: 'tool' };
  const content = isMessage(item) ? toTexts(item).join('') : '';
  return content.trim() === '' ? { kind: 'other' } : { kind: 'text', hasCitations: hasMarkers(content) };
}

function isMessage({ type }: Item): boolean {
  return type === 'message';
}

/** Throws `malformed` for a message whose content has another shape: it is not an empty message. */
function toTexts({ content }: Item): string[] {
  if (!content) throw new PlatformError('malformed', 'a message of another shape', { status: 200 });
  return content.filter(({ type }) => type === 'output_text').map((part) => part.text ?? '');
}

function isFinished({ status }: Body): boolean {
  return !status || status === 'completed';
}

function parseFinish(body: Body) {
  const reason = body.incomplete_details?.reason;
  const messages = body.output.filter(isMessage);
  const hasRefusal = messages.some(({ content }) => content?.some(({ type }) => type === 'refusal'));
  return {
    declined: reason === 'content_filter' || hasRefusal,
    truncated: !isFinished(body) || messages.some(({ status }) => status === 'incomplete'),
    reason: reason ?? body.status,
  };
}

function toUsage({ output, usage }: Body): Usage {
  return {
    inputTokens: usage?.input_tokens ?? 0,
    outputTokens: usage?.output_tokens ?? 0,
    searches: usage?.tool_calls_details?.search_web.invocation ?? output.filter(isSearch).length,
    requests: 1,
  };
}
