import type { EdgeContext } from '../context.ts';
import { unmatched } from './edge-metrics.ts';
import type { Exchange } from './exchange.ts';

/** Reported where the client, or the body's deadline, ended the connection before the answer was out. */
const clientClosedRequest = 499;

/** One log line and one measurement a request, when it has ended however it ended. */
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
      outcome: outcomeOf(exchange, status),
      seconds: durationMs / 1_000,
    });
    accessLog.add({
      level: status >= 500 ? 'error' : 'info',
      fields: fieldsOf(exchange, operation, status, durationMs),
    });
  });
}

function outcomeOf({ errorCode, replayed }: Exchange, status: number): string {
  if (errorCode !== undefined) return errorCode;
  if (replayed) return 'replayed';
  return status < 400 ? 'ok' : status === clientClosedRequest ? 'client_closed' : 'service';
}

/** Of a key never more than its first 12 characters; of what was presented and refused nothing at all. */
function fieldsOf(exchange: Exchange, operation: string, status: number, durationMs: number): object {
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
