import { z } from 'zod';
import type { Trouble } from './simulator-state.ts';
import { composeAnswer, type Page, type SimulatedAnswer } from './answer.ts';
import {
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
  max_tokens: z.int().min(1),
  system: z.string().optional(),
  messages: z
    .array(z.object({ role: z.string(), content: z.union([z.string(), z.array(z.unknown())]) }))
    .min(1),
  tools: z.array(
    z.object({
      type: z.string(),
      name: z.string(),
      user_location: z.object({ country: z.string() }).optional(),
    }),
  ),
});
type Request = z.infer<typeof Request>;

const types: Record<number, [type: string, message: string]> = {
  400: ['invalid_request_error', 'messages: Field required'],
  401: ['authentication_error', 'invalid x-api-key'],
  429: ['rate_limit_error', 'Number of requests has exceeded your rate limit.'],
};
const refusedCountries = new Set(['SG', 'IE', 'CY']);

/** Anthropic Messages with web search. */
export const anthropicWire: Wire = {
  platform: 'claude',
  method: 'POST',
  path: /^\/anthropic\/v1\/messages$/,
  readKey: ({ headers }) =>
    headers['anthropic-version'] === undefined ? undefined : headers['x-api-key']?.toString(),
  respond: respond,
  refuse: (status, retryAfterSeconds) => {
    const [type, message] = types[status] ?? ['api_error', 'Internal server error'];
    return {
      status,
      headers: retryAfter(retryAfterSeconds),
      body: { type: 'error', error: { type, message }, request_id: 'req_simulated' },
    };
  },
};

function respond(call: WireCall) {
  const request = parseRequest(Request, call.body);
  const prompt = request?.messages[0]?.content;
  if (request === null || typeof prompt !== 'string') return anthropicWire.refuse(400, undefined);
  const location = request.tools[0]?.user_location?.country;
  if (location !== undefined && refusedCountries.has(location)) {
    const message = `tools.0.web_search_20250305.user_location: Country code ${location} is not supported`;
    return { status: 400, body: { type: 'error', error: { type: 'invalid_request_error', message } } };
  }
  const country = location ?? parseMarketInstruction(request.system);
  const answer = composeAnswer({ platform: 'claude', prompt, country, day: call.day }, call);
  const resumed = request.messages.length > 1;
  if (call.trouble === null && !resumed && answer.choose.chance(25)) {
    return ok(message(request, firstHalf(answer), 'pause_turn'));
  }
  const stopReason = call.trouble?.kind === 'refusal' ? 'refusal' : 'end_turn';
  return ok(message(request, toBlocks(answer, resumed, call.trouble), stopReason));
}

function toBlocks(answer: SimulatedAnswer, resumed: boolean, trouble: Trouble | null): unknown[] {
  if (trouble?.kind === 'error-in-200') return failedSearch(answer);
  if (missingText(trouble) !== null) return toSearch(answer, 1);
  return resumed ? secondHalf(answer) : [...toSearch(answer, 1), ...toTextBlocks(answer)];
}

function message(request: Request, content: unknown[], stopReason: string): unknown {
  const size = countCodePoints(JSON.stringify(content));
  return {
    id: 'msg_simulated',
    type: 'message',
    role: 'assistant',
    model: `${request.model}-20260115`,
    content,
    stop_reason: stopReason,
    stop_sequence: null,
    usage: {
      input_tokens: 2000,
      output_tokens: size >> 3,
      server_tool_use: { web_search_requests: 1, web_fetch_requests: 0 },
    },
  };
}

function toSearchCall(query: string, number: number): unknown {
  return { type: 'server_tool_use', id: `srvtoolu_${number}`, name: 'web_search', input: { query } };
}

function toSearchResult(pages: readonly Page[], number: number): unknown {
  const content = pages.map(({ url, title }) => ({
    type: 'web_search_result',
    url,
    title,
    page_age: null,
    encrypted_content: 'c2lt',
  }));
  return { type: 'web_search_tool_result', tool_use_id: `srvtoolu_${number}`, content };
}

function toSearch({ queries, retrieved }: SimulatedAnswer, number: number): unknown[] {
  return [toSearchCall(queries[0] ?? '', number), toSearchResult(retrieved, number)];
}

function failedSearch({ queries }: SimulatedAnswer): unknown[] {
  const error = { type: 'web_search_tool_result_error', error_code: 'unavailable' };
  return [
    toSearchCall(queries[0] ?? '', 1),
    { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: error },
    { type: 'text', text: 'I was not able to search the web just now.' },
  ];
}

/** A paused turn ends in a call whose result comes with the next response. */
function firstHalf(answer: SimulatedAnswer): unknown[] {
  return [
    { type: 'text', text: 'Let me search for that.' },
    ...toSearch(answer, 1),
    toSearchCall(answer.queries[1] ?? '', 2),
  ];
}

function secondHalf(answer: SimulatedAnswer): unknown[] {
  return [toSearchResult(answer.retrieved.slice(0, 2), 2), ...toTextBlocks(answer)];
}

/** One block for each line, with the citations of its pages. */
function toTextBlocks({ lines }: SimulatedAnswer): unknown[] {
  return lines.map(({ text, pages }) => {
    if (pages.length === 0) return { type: 'text', text };
    const citations = pages.map(({ url, title }) => ({
      type: 'web_search_result_location',
      url,
      title,
      cited_text: text.slice(0, 150),
      encrypted_index: 'c2lt',
    }));
    return { type: 'text', text, citations };
  });
}
