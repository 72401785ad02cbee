import { ApiError } from '@bv/contract';
import type { EdgeContext } from '../context.ts';
import { authenticate, checkFailedAttempts } from '../edge/authenticate.ts';
import { chargeAllowance } from '../edge/charge-allowance.ts';
import { refuseMalformed, requireCredentials } from '../edge/checks.ts';
import type { Exchange } from '../edge/exchange.ts';
import type { Step } from '../edge/pipeline.ts';
import { readBody } from '../edge/read-body.ts';
import { jsonRpcCodes, parseMessage, sendJsonRpcError } from './json-rpc.ts';
import { serveMessage } from './serve-message.ts';
import { findTool } from './tools.ts';

/** The order of checks of `/mcp`. The operations of a tool then pass the public pipeline each. */
export const mcpPipeline: readonly Step[] = [
  beginMessage,
  refuseMalformed,
  refuseOrigin, // 403
  checkMethod, // 405
  requireCredentials, // 401, not counted for the address
  checkFailedAttempts, // 429 of the address
  authenticate, // 401, counted for the address
  chargeMessage, // 429, as for a write before its body is read
  readMessage, // 413, 400 invalid_body; the body says what the message is
  checkEntitled, // 403 tier_not_entitled, unless it is a tool error
  requireMessage, // 400, 404
  serveMessage,
];

function beginMessage(exchange: Exchange): void {
  const { requestId } = exchange;
  exchange.mcp = { method: '', tool: null, requestId, refusal: undefined };
}

/** Only browsers send an origin. A page of another site must not use a key, whatever its user has configured. */
function refuseOrigin(exchange: Exchange): void {
  if (exchange.request.headers.origin === undefined) return;
  const message = 'Forbidden: requests of browsers are not accepted';
  sendJsonRpcError(exchange, { status: 403, code: jsonRpcCodes.transport, message }, 'origin_refused');
}

/** There are no sessions and no streams of the server, so GET and DELETE have no use. */
function checkMethod(exchange: Exchange): void {
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
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'notifications/initialized',
  'notifications/cancelled',
]);

/** Charges one request, also for the handshake and for notifications. The first operation of a tool uses this charge. */
async function chargeMessage(exchange: Exchange, ctx: EdgeContext): Promise<void> {
  await chargeAllowance(exchange, ctx).catch((error: unknown) => {
    const isOfTier = error instanceof ApiError && error.code === 'tier_not_entitled';
    if (!isOfTier || exchange.mcp === undefined) throw error;
    exchange.mcp.refusal = error;
  });
}

async function readMessage(exchange: Exchange): Promise<void> {
  await readBody(exchange).catch((error: unknown) => {
    // The protocol has its own error for this.
    if (error instanceof ApiError && error.code === 'invalid_json') return;
    throw exchange.mcp?.refusal ?? error;
  });
  const message = parseMessage(exchange.body.json);
  if ('code' in message || exchange.mcp === undefined) return;
  exchange.mcp.method = knownMethods.has(message.method) ? message.method : 'other';
  exchange.mcp.tool = message.tool === null || findTool(message.tool) === undefined ? null : message.tool;
}

function checkEntitled({ mcp }: Exchange): void {
  if (mcp?.refusal !== undefined && mcp.tool === null) throw mcp.refusal;
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
