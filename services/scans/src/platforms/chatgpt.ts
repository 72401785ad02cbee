import { z } from 'zod';
import { adapter, type AskContext, type PlatformConfig } from './ask.ts';
import { readBody, uniqueQueries, withText } from './body.ts';
import { costUsd, type Usage } from './cost.ts';
import { askForMarket, marketInstruction } from './market.ts';
import { PlatformError, type ParsedAnswer, type PlatformAdapter } from './platform.ts';
import type { PlatformHttp } from './platform-http.ts';
import { SourceList } from './sources.ts';

const text = z.string().nullish().catch(null);
const Annotation = z.object({ type: z.string(), url: text, title: text });
const Content = z.object({
  type: z.string(),
  text: z.string().nullish(),
  annotations: z.array(Annotation).nullish(),
});
const Action = z.object({
  type: text,
  query: text,
  queries: z.array(z.string()).nullish().catch(null),
  sources: z
    .array(z.object({ url: text, title: text }))
    .nullish()
    .catch(null),
});
const Item = z.object({
  type: z.string(),
  status: text,
  action: Action.nullish().catch(null),
  content: z.array(Content).nullish().catch(null),
});
const Body = z.object({
  model: text,
  status: text,
  incomplete_details: z.object({ reason: text }).nullish().catch(null),
  output: z.array(Item),
  usage: z.object({ input_tokens: z.number(), output_tokens: z.number() }).nullish().catch(null),
});
type Body = z.infer<typeof Body>;

/** OpenAI Responses with the web_search tool. */
export function createChatgptAdapter(config: PlatformConfig, http: PlatformHttp): PlatformAdapter {
  return adapter('chatgpt', config, http, async (context) => {
    const { answer: body, localization } = await askForMarket((native) => send(context, native));
    return { ...parseChatgpt(body), localization, costUsd: costUsd(config.prices, usageOf(body)) };
  });
}

function send({ question, apiKey, config, http, signal }: AskContext, native: boolean): Promise<unknown> {
  // Without a location the service searches as from the US and says nothing of it.
  const location = { type: 'approximate', country: question.country };
  return http.json({
    method: 'POST',
    url: `${config.baseUrl}/v1/responses`,
    headers: { authorization: `Bearer ${apiKey}` },
    body: {
      model: config.model,
      input: question.prompt,
      ...(native ? {} : { instructions: marketInstruction(question.country) }),
      tools: [{ type: 'web_search', ...(native ? { user_location: location } : {}) }],
      tool_choice: 'required',
      include: ['web_search_call.action.sources'],
      store: false,
    },
    signal,
  });
}

export function parseChatgpt(raw: unknown): ParsedAnswer {
  const body = readBody(Body, raw);
  const searches = body.output.filter((item) => item.type === 'web_search_call');
  if (searches.length > 0 && searches.every((item) => item.status === 'failed')) {
    throw new PlatformError('unavailable', 'every web search failed', { status: 200 });
  }
  const parts = body.output.filter((item) => item.type === 'message').flatMap(partsOf);
  const texts = parts.filter((part) => part.type === 'output_text');
  const answerText = texts.map((part) => part.text ?? '').join('');
  if (answerText.trim() === '') refuseUnfinished(body);
  const sources = new SourceList();
  for (const annotation of texts.flatMap((part) => part.annotations ?? [])) {
    if (annotation.type === 'url_citation') sources.cite(annotation.url, annotation.title);
  }
  for (const source of searches.flatMap((item) => item.action?.sources ?? []))
    sources.retrieve(source.url, source.title);
  return withText(answerText, {
    sources: sources.toSources(),
    // open_page and find_in_page are web_search_calls too, with no query.
    searchQueries: uniqueQueries(
      searches.flatMap(({ action }) => (action?.queries?.length ? action.queries : [action?.query])),
    ),
    model: body.model ?? null,
    searchUsed: searches.length > 0,
  });
}

/** Items of other kinds may hold other content; a message whose content cannot be read is not an empty one. */
function partsOf({ content }: z.infer<typeof Item>): z.infer<typeof Content>[] {
  if (content) return content;
  throw new PlatformError('malformed', 'a message of another shape', { status: 200 });
}

/** No text in a run that broke off is no answer withheld but a failure. */
function refuseUnfinished(body: Body): void {
  if (body.status === 'failed' || body.status === 'cancelled') {
    throw new PlatformError('unavailable', `the response is ${body.status}`, { status: 200 });
  }
  const filtered = body.incomplete_details?.reason === 'content_filter';
  if (body.status !== undefined && body.status !== null && body.status !== 'completed' && !filtered) {
    throw new PlatformError('malformed', `the response is ${body.status} and has no text`, { status: 200 });
  }
}

function usageOf(raw: unknown): Usage {
  const body = Body.parse(raw);
  const searches = body.output.filter(
    (item) => item.type === 'web_search_call' && item.action?.type === 'search',
  );
  return {
    inputTokens: body.usage?.input_tokens ?? 0,
    outputTokens: body.usage?.output_tokens ?? 0,
    searches: searches.length,
    requests: 1,
  };
}
