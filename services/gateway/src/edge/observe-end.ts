import type { EdgeContext } from '../context.ts';
import { unmatched } from './edge-metrics.ts';
import type { Exchange } from './exchange.ts';

/** Status of requests whose connection the client or the body deadline closed before the response was sent. */
const clientClosedRequest = 499;

/** Writes one log line and one measurement for each request when it ends. */
export function observeEnd(exchange: Exchange, { accessLog, edgeMetrics }: EdgeContext): void {
  const { response, startedAt } = exchange;
  response.once('close', () => {
    exchange.incomingBody?.discard();
    const status = response.writableFinished ? response.statusCode : clientClosedRequest;
    const durationMs = performance.now() - startedAt;
    const operation = exchange.route?.operation.id ?? unmatched;
    edgeMetrics.request({
      operation,
      status,
      outcome: getOutcome(exchange, status),
      seconds: durationMs / 1_000,
    });
    accessLog.add({
      level: status >= 500 ? 'error' : 'info',
      fields: toLogFields(exchange, operation, status, durationMs),
    });
  });
}

function getOutcome({ errorCode, replayed }: Exchange, status: number): string {
  if (errorCode !== undefined) return errorCode;
  if (replayed) return 'replayed';
  return status < 400 ? 'ok' : status === clientClosedRequest ? 'client_closed' : 'service';
}

/** Contains at most the prefix of a valid key, and nothing of a refused one. */
function toLogFields(exchange: Exchange, operation: string, status: number, durationMs: number): object {
  const { requestId, request, access, errorCode, replayed, address } = exchange;
  return {
    requestId,
    operation,
    method: request.method,
    status,
    durationMs: Math.round(durationMs * 10) / 10,
    ...(address !== '' && { address }),
    ...(errorCode && { errorCode }),
    ...(replayed && { replayed }),
    ...(access && { keyPrefix: access.keyPrefix, keyId: access.keyId, owner: access.owner }),
    ...(exchange.route?.orgId != null && { orgId: exchange.route.orgId }),
  };
}
