import { z } from 'zod';
import { composeAnswer, type Page, type SimulatedAnswer } from './answer.ts';
import {
  readBearerToken,
  parseMarketInstruction,
  getHost,
  countCodePoints,
  ok,
  parseRequest,
  retryAfter,
  type Wire,
  type WireCall,
} from './wire.ts';

const Request = z.object({
  model: z.string().min(1),
  input: z.string().min(1),
  instructions: z.string().optional(),
  tools: z.array(z.object({ type: z.string(), user_location: z.object({ country: z.string() }).optional() })),
  include: z.array(z.string()).optional(),
});

const messages: Record<number, [type: string, code: string | null, message: string]> = {
  400: ['invalid_request_error', null, "Invalid request: 'input' and 'model' are required."],
  401: ['invalid_request_error', 'invalid_api_key', 'Incorrect API key provided.'],
  429: ['requests', 'rate_limit_exceeded', 'Rate limit reached. Please try again later.'],
};

/** OpenAI Responses with web search. */
export const openaiWire: Wire = {
  platform: 'chatgpt',
  method: 'POST',
  path: /^\/openai\/v1\/responses$/,
  readKey: readBearerToken,
  respond: respond,
  refuse: (status, retryAfterSeconds) => {
    const [type, code, message] = messages[status] ?? [
      'server_error',
      'server_error',
      'The server had an error.',
    ];
    return {
      status,
      headers: retryAfter(retryAfterSeconds),
      body: { error: { message, type, param: null, code } },
    };
  },
};

function respond(call: WireCall) {
  const request = parseRequest(Request, call.body);
  if (request === null) return openaiWire.refuse(400, undefined);
  const country = request.tools[0]?.user_location?.country ?? parseMarketInstruction(request.instructions);
  const answer = composeAnswer({ platform: 'chatgpt', prompt: request.input, country, day: call.day }, call);
  const frame = {
    id: 'resp_simulated',
    object: 'response',
    model: `${request.model}-2026-01-15`,
    incomplete_details: null,
  };
  if (call.trouble?.kind === 'error-in-200') {
    const error = { code: 'server_error', message: 'The server had an error while processing your request.' };
    return ok({ ...frame, status: 'failed', error, output: [] });
  }
  const text = call.trouble?.kind === 'empty' ? { text: '', annotations: [] } : write(answer);
  const content =
    call.trouble?.kind === 'refusal'
      ? { type: 'refusal', refusal: "I can't help with that." }
      : { type: 'output_text', logprobs: [], ...text };
  return ok({
    ...frame,
    status: 'completed',
    error: null,
    output: [
      { id: 'rs_1', type: 'reasoning', summary: [] },
      ...searchCalls(answer, request.include?.includes('web_search_call.action.sources') ?? false),
      {
        id: 'msg_1',
        type: 'message',
        status: 'completed',
        role: 'assistant',
        content: [content],
      },
    ],
    usage: {
      input_tokens: 1200,
      output_tokens: countCodePoints(text.text) >> 2,
      total_tokens: 1200 + (countCodePoints(text.text) >> 2),
    },
  });
}

function searchCalls({ queries, retrieved, choose }: SimulatedAnswer, withSources: boolean): unknown[] {
  const [query = '', ...others] = queries;
  const sources = withSources ? { sources: retrieved.map(({ url }) => ({ type: 'url', url })) } : {};
  const queryFields = choose.chance(50) ? { query } : { query, queries: [query, ...others] };
  const search = {
    id: 'ws_1',
    type: 'web_search_call',
    status: 'completed',
    action: { type: 'search', ...queryFields, ...sources },
  };
  if (!choose.chance(30)) return [search];
  const url = retrieved[0]?.url ?? 'https://example.com/';
  return [
    search,
    { id: 'ws_2', type: 'web_search_call', status: 'completed', action: { type: 'open_page', url } },
  ];
}

/** The text with citation marks and their annotations. Only some URLs carry the service's tracking parameter. */
function write({ lines, choose }: SimulatedAnswer): { text: string; annotations: unknown[] } {
  let text = '';
  const annotations: unknown[] = [];
  for (const line of lines) {
    const end = /\s*$/.exec(line.text)?.[0] ?? '';
    text += line.text.slice(0, line.text.length - end.length);
    for (const page of line.pages) {
      const url = choose.chance(70) ? marked(page) : page.url;
      const mark = `([${getHost(url)}](${url}))`;
      const start = countCodePoints(text) + 1;
      text += ` ${mark}`;
      annotations.push({
        type: 'url_citation',
        start_index: start,
        end_index: start + countCodePoints(mark),
        title: page.title,
        url,
      });
    }
    text += end;
  }
  return { text, annotations };
}

function marked({ url }: Page): string {
  return `${url}${url.includes('?') ? '&' : '?'}utm_source=openai`;
}
