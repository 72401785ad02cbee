import { z } from 'zod';
import { type AnswerBlock, joinBlocks, selectAnswer, wordsMeet } from './answer-text.ts';
import { adapter, type AskContext, type PlatformConfig } from './ask.ts';
import { readBody, tolerantList, toAnswer, uniqueQueries } from './body.ts';
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
  /** Of a message: `commentary` on the way, or `final_answer`. Older models send none. */
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
  if (body.status === 'failed' || body.status === 'cancelled') {
    throw new PlatformError('unavailable', `the response is ${body.status}`, { status: 200 });
  }
  const messages = answerMessages(body);
  const contents = messages.map(contentOf);
  const answerText = joinBlocks(contents.flatMap((parts) => [null, ...textsOf(parts)]));
  const parts = contents.flat();
  const sources = new SourceList();
  for (const part of parts) {
    for (const annotation of part.annotations ?? [])
      if (isCitation(annotation)) sources.cite(annotation?.url, annotation?.title);
  }
  for (const source of searches.flatMap((item) => item.action?.sources ?? []))
    sources.retrieve(source?.url, source?.title);
  return toAnswer(answerText, endingOf(body, messages, parts), {
    sources: sources.toSources(),
    // open_page and find_in_page are web_search_calls too, with no query.
    searchQueries: uniqueQueries(
      searches.flatMap(({ action }) => (action?.queries?.length ? action.queries : [action?.query])),
    ),
    model: body.model ?? null,
    searchUsed: searches.length > 0,
  });
}

/** The messages of the answer, without commentary and without messages that announce a search. */
function answerMessages(body: Body): Item[] {
  const messages = body.output.filter((item) => item.type === 'message');
  const final = messages.filter(({ phase }) => phase === 'final_answer');
  if (final.length > 0) return final;
  if (messages.some(({ phase }) => !phase)) {
    const isAnswer = selectAnswer(body.output.map(asBlock), { isCut: !isFinished(body) });
    return body.output.filter((item, index) => item.type === 'message' && !item.phase && isAnswer[index]);
  }
  // A response that was cut off during its commentary never came to an answer.
  return isFinished(body) ? messages : [];
}

function asBlock(item: Item): AnswerBlock {
  if (item.type === 'web_search_call') return { kind: 'tool' };
  if (item.type !== 'message' || item.phase) return { kind: 'other' };
  const parts = contentOf(item);
  const isBlank = parts.every(({ type, text: content }) => type !== 'refusal' && !content?.trim());
  if (isBlank) return { kind: 'other' };
  return { kind: 'text', hasCitations: parts.some(({ annotations }) => annotations?.some(isCitation)) };
}

/** Items of other kinds may hold other content; a message whose content cannot be read is not an empty one. */
function contentOf({ content }: Item): z.infer<typeof Content>[] {
  if (content) return content;
  throw new PlatformError('malformed', 'a message of another shape', { status: 200 });
}

function isCitation(annotation: z.infer<typeof Annotation> | null): boolean {
  return annotation?.type === 'url_citation';
}

/** Parts of one message are joined as they are, unless the words at their border would become one. */
function textsOf(parts: readonly z.infer<typeof Content>[]): (string | null)[] {
  return parts.flatMap((part, index) => {
    if (part.type !== 'output_text') return [null];
    const text = part.text ?? '';
    if (!wordsMeet(parts[index - 1]?.text ?? '', text)) return [text];
    // A small letter goes on with the sentence.
    return [/^\p{Ll}/u.test(text) ? ' ' : null, text];
  });
}

function isFinished({ status }: Body): boolean {
  return !status || status === 'completed';
}

function endingOf(body: Body, messages: readonly Item[], parts: readonly z.infer<typeof Content>[]) {
  const reason = body.incomplete_details?.reason;
  return {
    declined: reason === 'content_filter' || parts.some(({ type }) => type === 'refusal'),
    truncated: !isFinished(body) || messages.some(({ status }) => status === 'incomplete'),
    reason: reason ?? body.status,
  };
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
