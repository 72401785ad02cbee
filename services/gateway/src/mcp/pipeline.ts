import { ApiError } from '@bv/contract';
import type { EdgeContext } from '../context.ts';
import { authenticate, checkFailedAttempts } from '../edge/authenticate.ts';
import { chargeAllowance } from '../edge/charge-allowance.ts';
import { rejectMalformed, requireCredentials } from '../edge/checks.ts';
import type { Exchange } from '../edge/exchange.ts';
import type { Step } from '../edge/pipeline.ts';
import { readBody } from '../edge/read-body.ts';
import { jsonRpcCodes, parseMessage, sendJsonRpcError } from './json-rpc.ts';
import { serveMessage } from './serve-message.ts';
import { findTool } from './tools.ts';

/** The order of checks of `/mcp`. The operations of a tool then pass the public pipeline each. */
export const mcpPipeline: readonly Step[] = [
  beginMessage,
  rejectMalformed,
  rejectOrigin, // 403
  requirePost, // 405
  requireCredentials, // 401, not counted for the address
  checkFailedAttempts, // 429 of the address
  authenticate, // 401, counted for the address
  readMessage, // 413, 400 invalid_body, charged; the body says what the message is
  chargeMessage, // 429, 403 tier_not_entitled
  requireMessage, // 400, 404
  serveMessage,
];

function beginMessage(exchange: Exchange): void {
  exchange.mcp = { method: '', tool: null, requestId: exchange.requestId };
}

/** Only browsers send an origin. A page of another site must not use a key, whatever its user has configured. */
function rejectOrigin(exchange: Exchange): void {
  if (exchange.request.headers.origin === undefined) return;
  const message = 'Forbidden: requests of browsers are not accepted';
  sendJsonRpcError(exchange, { status: 403, code: jsonRpcCodes.transport, message }, 'origin_refused');
}

/** There are no sessions and no streams of the server, so GET and DELETE have no use. */
function requirePost(exchange: Exchange): void {
  if (exchange.request.method === 'POST') return;
  exchange.headers.allow = 'POST';
  const message = 'Method not allowed.';
  sendJsonRpcError(exchange, { status: 405, code: jsonRpcCodes.transport, message }, 'method_not_allowed');
}

/** Names become labels of metrics and fields of the log, so only known ones are kept. */
const knownMethods = new Set([
  'initialize',
  'ping',
  'server/discover',
  'tools/list',
  'tools/call',
  'notifications/initialized',
  'notifications/cancelled',
]);

async function readMessage(exchange: Exchange, ctx: EdgeContext): Promise<void> {
  await readBody(exchange).catch(async (error: unknown) => {
    // The protocol has its own error for this.
    if (error instanceof ApiError && error.code === 'invalid_json') return;
    if (error instanceof ApiError) await chargeAllowance(exchange, ctx);
    throw error;
  });
  const message = parseMessage(exchange.body.json);
  if ('code' in message) return;
  const { requestId } = exchange;
  const method = knownMethods.has(message.method) ? message.method : 'other';
  const tool = message.tool === null || findTool(message.tool) === undefined ? null : message.tool;
  exchange.mcp = { method, tool, requestId };
}

/**
 * Charges one request, as for every request of the API, also for the handshake and for notifications. A tool is charged
 * by its operations instead. One that calls none, because its arguments are wrong, is charged when it ends.
 */
async function chargeMessage(exchange: Exchange, ctx: EdgeContext): Promise<void> {
  if (exchange.mcp?.tool == null) await chargeAllowance(exchange, ctx);
}

/** Refuses what is no message, and streams of notifications: the server sends none. */
function requireMessage(exchange: Exchange): void {
  const { json } = exchange.body;
  if (json === undefined) {
    const message = 'Parse error: the body is no JSON';
    return sendJsonRpcError(
      exchange,
      { status: 400, code: jsonRpcCodes.parseError, message },
      'invalid_message',
    );
  }
  const message = parseMessage(json);
  if ('code' in message) return sendJsonRpcError(exchange, message, 'invalid_message');
  if (message.method !== 'subscriptions/listen') return;
  const { id } = message;
  const error = { status: 404, code: jsonRpcCodes.methodNotFound, message: 'Method not found', id };
  sendJsonRpcError(exchange, error, 'method_not_found');
}
