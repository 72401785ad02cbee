import { z } from 'zod';
import { composeAnswer } from './answer.ts';
import {
  readBearerToken,
  parseMarketInstruction,
  countCodePoints,
  missingText,
  ok,
  parseRequest,
  type Wire,
  type WireCall,
} from './wire.ts';
import { distinctPages, refuseAs, toResult, write } from './wire-perplexity.ts';

/** Like the service, rejects fields that it does not know. */
const Request = z.strictObject({
  model: z.string().regex(/\//),
  input: z.string().min(1),
  instructions: z.string().optional(),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('web_search'),
        user_location: z.strictObject({ country: z.string() }).optional(),
      }),
    )
    .min(1),
  tool_choice: z.strictObject({ type: z.literal('web_search') }).optional(),
  max_steps: z.number().int().min(1).max(100).optional(),
  store: z.boolean().optional(),
});

const messages: Record<number, [type: string, message: string]> = {
  400: ['invalid_request', 'invalid request body'],
  401: ['forbidden', 'Invalid API key provided.'],
  429: ['request_rate_limit_exceeded', 'Request rate limit exceeded, please try again later.'],
};

/** Perplexity's Agent API. */
export const perplexityAgentWire: Wire = {
  platform: 'perplexity',
  method: 'POST',
  path: /^\/perplexity\/v1\/agent$/,
  readKey: readBearerToken,
  respond,
  refuse: refuseAs(messages),
};

function respond(call: WireCall) {
  const request = parseRequest(Request, call.body);
  if (request === null) return perplexityAgentWire.refuse(400, undefined);
  const { input: prompt, model } = request;
  const frame = { id: 'resp_simulated', object: 'response', created_at: 0, model, store: false };
  if (call.trouble?.kind === 'error-in-200') {
    const error = { code: 'internal_error', message: 'Internal error.', type: 'internal_error' };
    return ok({ ...frame, status: 'failed', error, incomplete_details: null, output: [] });
  }
  const country = request.tools[0]?.user_location?.country ?? parseMarketInstruction(request.instructions);
  const answer = composeAnswer({ platform: 'perplexity', prompt, country, day: call.day }, call);
  const pages = answer.choose.shuffle(distinctPages(answer.retrieved));
  const missing = missingText(call.trouble);
  const isRefused = missing === 'refusal';
  const content = missing === null ? write(answer, pages) : '';
  const outputTokens = countCodePoints(content) >> 2;
  const results = pages.map((page, index) => ({ id: index + 1, ...toResult(page) }));
  return ok({
    ...frame,
    status: isRefused ? 'incomplete' : 'completed',
    error: null,
    incomplete_details: isRefused ? { reason: 'content_filter' } : null,
    output: [
      { type: 'search_results', queries: answer.queries, results },
      {
        id: 'msg_simulated',
        type: 'message',
        role: 'assistant',
        status: isRefused ? 'incomplete' : 'completed',
        content: [{ type: 'output_text', text: content, annotations: [] }],
      },
    ],
    usage: {
      input_tokens: 3000,
      output_tokens: outputTokens,
      total_tokens: 3000 + outputTokens,
      tool_calls_details: { search_web: { invocation: 1 } },
      cost: { currency: 'USD', input_cost: 0.001, output_cost: 0, tool_calls_cost: 0.005, total_cost: 0.006 },
    },
  });
}
