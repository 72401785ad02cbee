import { z } from 'zod';
import { composeAnswer, type Page, type SimulatedAnswer } from './answer.ts';
import {
  readBearerToken,
  parseMarketInstruction,
  countCodePoints,
  missingText,
  ok,
  parseRequest,
  retryAfter,
  type Wire,
  type WireCall,
} from './wire.ts';

const Request = z.object({
  model: z.string().min(1),
  messages: z.array(z.object({ role: z.string(), content: z.string() })).min(1),
  web_search_options: z.object({ user_location: z.object({ country: z.string() }).optional() }).optional(),
});

const messages: Record<number, [type: string, message: string]> = {
  400: ['invalid_request', 'The request is not valid.'],
  401: ['invalid_api_key', 'Invalid API key provided. Ensure your API key is correct and active.'],
  429: ['rate_limit_exceeded', 'Request rate limit exceeded, please try again later.'],
};

/** Perplexity's chat completions. */
export const perplexityWire: Wire = {
  platform: 'perplexity',
  method: 'POST',
  path: /^\/perplexity\/chat\/completions$/,
  readKey: readBearerToken,
  respond: complete,
  refuse: refuseAs(messages),
};

/** Errors in the form of the service, with these types and messages by status. */
export function refuseAs(texts: Record<number, [type: string, message: string]>): Wire['refuse'] {
  return (status, retryAfterSeconds) => {
    const [type, message] = texts[status] ?? ['internal_error', 'Internal error.'];
    return {
      status,
      headers: retryAfter(retryAfterSeconds),
      body: { error: { message, type, code: status } },
    };
  };
}

function complete(call: WireCall) {
  const request = parseRequest(Request, call.body);
  const prompt = request?.messages.at(-1)?.content;
  if (!request || !prompt) return perplexityWire.refuse(400, undefined);
  if (call.trouble?.kind === 'error-in-200') return { ...perplexityWire.refuse(500, undefined), status: 200 };
  const country =
    request.web_search_options?.user_location?.country ??
    parseMarketInstruction(request.messages[0]?.content);
  const answer = composeAnswer({ platform: 'perplexity', prompt, country, day: call.day }, call);
  const pages = answer.choose.shuffle(distinctPages(answer.retrieved));
  const missing = missingText(call.trouble);
  const content = missing === null ? write(answer, pages) : '';
  const older = answer.choose.chance(15);
  return ok({
    id: 'simulated',
    model: request.model,
    object: 'chat.completion',
    created: 0,
    usage: {
      prompt_tokens: 20,
      completion_tokens: countCodePoints(content) >> 2,
      total_tokens: 20 + (countCodePoints(content) >> 2),
      num_search_queries: 1,
      cost: { total_cost: 0.006 },
    },
    citations: pages.map((page) => tracked(page)),
    ...(older
      ? {}
      : {
          search_results: pages.map(toResult),
        }),
    choices: [
      {
        index: 0,
        finish_reason: missing === 'refusal' ? 'content_filter' : 'stop',
        message: { role: 'assistant', content },
      },
    ],
  });
}

/** Marks sources as `[n]`. Like the service, it sometimes omits all marks. */
export function write({ lines, choose }: SimulatedAnswer, pages: Page[]): string {
  const unmarked = choose.chance(15);
  return lines
    .map((line) => {
      const end = /[.。]?\s*\|?\s*$/.exec(line.text)?.[0] ?? '';
      const numbers = line.pages.map((page) => pages.findIndex(({ url }) => url === page.url) + 1);
      const marks = unmarked ? '' : numbers.map((number) => `[${number}]`).join('');
      return line.text.slice(0, line.text.length - end.length) + marks + end;
    })
    .join('');
}

export function distinctPages(pages: readonly Page[]): Page[] {
  return [...new Map(pages.map((page) => [page.url, page])).values()];
}

/** A page as a search result. */
export const toResult = (page: Page) => ({
  title: page.title,
  url: tracked(page),
  snippet: page.title,
  source: 'web',
});

function tracked({ url }: Page): string {
  return url.includes('g2.com') ? `${url}?utm_medium=ai&gclid=simulated#top` : url;
}
