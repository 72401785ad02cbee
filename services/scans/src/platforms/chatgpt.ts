import { z } from 'zod';
import {
  type AnswerBlock,
  joinBlocks,
  readBody,
  selectAnswer,
  toAnswer,
  tolerantList,
  uniqueQueries,
  wordsMeet,
} from './answer.ts';
import { costUsd, createAdapter, type PlatformConfig, type RequestContext } from './adapter.ts';
import { marketInstruction, requestForMarket } from './market.ts';
import { PlatformError, type ParsedBody, type PlatformAdapter, type Usage } from './platform.ts';
import type { PlatformHttp } from './platform-http.ts';
import { SourceList } from './sources.ts';

const text = z.string().nullish().catch(null);
const Annotation = z.object({ type: z.string(), url: text, title: text });
const Content = z.object({
  type: z.string(),
  text: z.string().nullish(),
  annotations: tolerantList(Annotation).nullish().catch(null),
});
const Action = z.object({
  type: text,
  query: text,
  queries: tolerantList(z.string()).nullish().catch(null),
  sources: tolerantList(z.object({ url: text, title: text }))
    .nullish()
    .catch(null),
});
const Item = z.object({
  type: z.string(),
  status: text,
  /** Of a message: `commentary` or `final_answer`. Older models send none. */
  phase: text,
  action: Action.nullish().catch(null),
  content: z.array(Content).nullish().catch(null),
});
type Item = z.infer<typeof Item>;
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
  return createAdapter('chatgpt', config, http, async (context) => {
    const { answer: body, localization } = await requestForMarket((native) => send(context, native));
    const answer = parseChatgpt(body);
    return { ...answer, localization, costUsd: costUsd(config.prices, answer.usage) };
  });
}

function send({ request, apiKey, config, http, signal }: RequestContext, native: boolean): Promise<unknown> {
  // Without a location the service searches as from the US and does not report it.
  const location = { type: 'approximate', country: request.country };
  return http.json({
    method: 'POST',
    url: `${config.baseUrl}/v1/responses`,
    headers: { authorization: `Bearer ${apiKey}` },
    body: {
      model: config.model,
      input: request.prompt,
      ...(native ? {} : { instructions: marketInstruction(request.country) }),
      tools: [{ type: 'web_search', ...(native ? { user_location: location } : {}) }],
      tool_choice: 'required',
      include: ['web_search_call.action.sources'],
      store: false,
    },
    signal,
  });
}

export function parseChatgpt(raw: unknown): ParsedBody {
  const body = readBody(Body, raw);
  const searches = body.output.filter((item) => item.type === 'web_search_call');
  if (searches.length > 0 && searches.every((item) => item.status === 'failed')) {
    throw new PlatformError('unavailable', 'every web search failed', { status: 200 });
  }
  if (body.status === 'failed' || body.status === 'cancelled') {
    throw new PlatformError('unavailable', `the response is ${body.status}`, { status: 200 });
  }
  const messages = answerMessages(body);
  const contents = messages.map(parseContent);
  const answerText = joinBlocks(contents.flatMap((parts) => [null, ...toTexts(parts)]));
  const parts = contents.flat();
  const sources = new SourceList();
  for (const part of parts) {
    for (const annotation of part.annotations ?? []) if (isCitation(annotation)) sources.cite(annotation);
  }
  for (const source of searches.flatMap((item) => item.action?.sources ?? [])) sources.retrieve(source);
  const answer = toAnswer(answerText, parseFinish(body, messages, parts), {
    ...sources.toCitations(),
    // open_page and find_in_page are web_search_calls too, with no query.
    searchQueries: uniqueQueries(
      searches.flatMap(({ action }) => (action?.queries?.length ? action.queries : [action?.query])),
    ),
    model: body.model ?? null,
    searchUsed: searches.length > 0,
  });
  return { ...answer, usage: toUsage(body) };
}

/** The messages of the answer, without commentary and without messages that announce a search. */
function answerMessages(body: Body): Item[] {
  const messages = body.output.filter((item) => item.type === 'message');
  const final = messages.filter(({ phase }) => phase === 'final_answer');
  if (final.length > 0) return final;
  if (messages.some(({ phase }) => !phase)) {
    const isAnswer = selectAnswer(body.output.map(toBlock), { isCut: !isFinished(body) });
    return body.output.filter((item, index) => item.type === 'message' && !item.phase && isAnswer[index]);
  }
  // A response that was cut off during its commentary has no answer.
  return isFinished(body) ? messages : [];
}

function toBlock(item: Item): AnswerBlock {
  if (item.type === 'web_search_call') return { kind: 'tool' };
  if (item.type !== 'message' || item.phase) return { kind: 'other' };
  const parts = parseContent(item);
  const isBlank = parts.every(({ type, text: content }) => type !== 'refusal' && !content?.trim());
  if (isBlank) return { kind: 'other' };
  return { kind: 'text', hasCitations: parts.some(({ annotations }) => annotations?.some(isCitation)) };
}

/** Throws `malformed` for a message whose content has another shape: it is not an empty message. */
function parseContent({ content }: Item): z.infer<typeof Content>[] {
  if (content) return content;
  throw new PlatformError('malformed', 'a message of another shape', { status: 200 });
}

function isCitation(annotation: z.infer<typeof Annotation> | null): boolean {
  return annotation?.type === 'url_citation';
}

/** Parts of one message are joined without a separator, unless two words would be joined. */
function toTexts(parts: readonly z.infer<typeof Content>[]): (string | null)[] {
  return parts.flatMap((part, index) => {
    if (part.type !== 'output_text') return [null];
    const text = part.text ?? '';
    if (!wordsMeet(parts[index - 1]?.text ?? '', text)) return [text];
    // A lower-case letter continues the sentence.
    return [/^\p{Ll}/u.test(text) ? ' ' : null, text];
  });
}

function isFinished({ status }: Body): boolean {
  return !status || status === 'completed';
}

function parseFinish(body: Body, messages: readonly Item[], parts: readonly z.infer<typeof Content>[]) {
  const reason = body.incomplete_details?.reason;
  return {
    declined: reason === 'content_filter' || parts.some(({ type }) => type === 'refusal'),
    truncated: !isFinished(body) || messages.some(({ status }) => status === 'incomplete'),
    reason: reason ?? body.status,
  };
}

function toUsage(body: Body): Usage {
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
