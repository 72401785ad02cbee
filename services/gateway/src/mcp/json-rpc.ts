import { sendHead } from '../edge/exchange.ts';
import type { Exchange } from '../edge/exchange.ts';
import { closeIfBodyUncertain } from '../edge/read-body.ts';

/** Error codes of JSON-RPC 2.0, and of MCP for what HTTP refuses. */
export const jsonRpcCodes = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  transport: -32_000,
} as const;

export type JsonRpcError = { status: number; code: number; message: string; id?: string | number | null };

/** Sends an error of the protocol. Errors of the API have the envelope of the API instead. */
export function sendJsonRpcError(exchange: Exchange, error: JsonRpcError, outcome: string): void {
  const { status, code, message, id = null } = error;
  exchange.hasResponse = true;
  exchange.errorCode = outcome;
  exchange.incomingBody?.discard();
  closeIfBodyUncertain(exchange);
  sendJson(exchange, status, JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id }));
}

export function sendJson(exchange: Exchange, status: number, text: string): void {
  const body = Buffer.from(text);
  const isEmpty = body.length === 0;
  sendHead(exchange, status, {
    ...(isEmpty ? {} : { 'content-type': 'application/json' }),
    'content-length': body.length,
  });
  exchange.response.end(exchange.request.method === 'HEAD' ? undefined : body);
}

type Message = { method: string; id: string | number | null; tool: string | null };

/** Reads what the edge has to know of a message. Returns an error for what is no single message. */
export function parseMessage(json: unknown): Message | JsonRpcError {
  const invalid = (message: string): JsonRpcError => ({
    status: 400,
    code: jsonRpcCodes.invalidRequest,
    message: `Invalid Request: ${message}`,
  });
  if (Array.isArray(json)) return invalid('batches are not supported, send one message a request');
  if (typeof json !== 'object' || json === null) return invalid('expected one JSON-RPC message');
  const { jsonrpc, method, id, params } = json as Record<string, unknown>;
  if (jsonrpc !== '2.0') return invalid('jsonrpc is not "2.0"');
  if (typeof method !== 'string') return invalid('method is missing');
  const name: unknown = (params as { name?: unknown } | null | undefined)?.name;
  return {
    method,
    id: typeof id === 'string' || typeof id === 'number' ? id : null,
    tool: method === 'tools/call' && typeof name === 'string' ? name : null,
  };
}
