import { errorBody } from '@bv/contract';
import { ClientGoneError, toErrorResponse } from '@bv/http';
import type { Logger } from '@bv/telemetry';
import { UpstreamFailure } from '../upstream/response-handler.ts';
import { noBody, removeRateLimit, sendHead } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import { closeIfBodyUncertain } from './read-body.ts';

/** Sends the response of an error, unless the client is gone or a response has started. */
export function refuse(exchange: Exchange, error: unknown, log: Logger): void {
  // A refusal is final. Later failures of the same request are ignored.
  if (exchange.errorCode !== undefined || isOver(exchange, error, log)) return;
  const { response, requestId, headers } = exchange;
  // Releases the body now instead of on close, because the client may never read its response.
  exchange.incomingBody?.discard();
  exchange.body = noBody;
  const { refusal, headers: errorHeaders, log: line } = toErrorResponse(error);
  exchange.errorCode = refusal.code;
  if (line) log[line.level]({ err: error, requestId }, line.message);
  Object.assign(headers, errorHeaders);
  if (refusal.code === 'api_unavailable' || refusal.status === 401) removeRateLimit(exchange);
  closeIfBodyUncertain(exchange);
  const body = Buffer.from(JSON.stringify(errorBody(refusal, requestId)));
  sendHead(exchange, refusal.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
  });
  response.end(body);
}

/** Whether no refusal can be sent: the client is gone or a response has started. A started response is aborted. */
function isOver({ response, requestId }: Exchange, error: unknown, log: Logger): boolean {
  const left = error instanceof UpstreamFailure && error.reason === 'client_gone';
  if (left || error instanceof ClientGoneError) return true;
  if (response.headersSent) {
    log.warn({ err: error, requestId }, 'request failed after the response had started');
    response.destroy();
  }
  return response.destroyed;
}
