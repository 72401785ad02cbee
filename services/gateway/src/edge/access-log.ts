import { AsyncLocalStorage } from 'node:async_hooks';
import { traceIds, writeLines } from '@bv/telemetry';
import type { Line, Logger } from '@bv/telemetry';
import { mcpOperation, unmatched } from '../telemetry.ts';
import type { EdgeMetrics } from '../telemetry.ts';
import type { Exchange } from './exchange.ts';

export type AccessLog = {
  add(line: Omit<Line, 'atMs'>): void;
  /** Writes the buffered lines. */
  flush(): void;
};

/** Maximum delay of a line. Its timestamp is the end of its request. */
const waitMs = 20;

/**
 * Buffers the lines of finished requests and writes them together, which costs a fraction of single writes between other
 * work (docs/adr/0007-batching-by-event-loop-tick.md).
 */
export function createAccessLog(log: Logger, now: () => Date): AccessLog {
  let buffer: Line[] = [];
  let timer: NodeJS.Timeout | undefined;
  // The timer runs outside of every trace, so that lines without a trace do not get the trace of another request.
  const outside = AsyncLocalStorage.snapshot();
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const lines = buffer;
    buffer = [];
    writeLines(log, 'request', lines);
  };
  return {
    add: ({ level, fields }) => {
      buffer.push({ level, atMs: now().getTime(), fields: { ...fields, ...traceIds() } });
      timer ??= outside(() => setTimeout(flush, waitMs));
    },
    flush: () => outside(flush),
  };
}

/** Status of requests whose connection the client or the body deadline closed before the response was sent. */
const clientClosedRequest = 499;

/** Writes one log line and one measurement for each request when it ends. */
export function observeEnd(
  exchange: Exchange,
  { accessLog, edgeMetrics }: { accessLog: AccessLog; edgeMetrics: EdgeMetrics },
): void {
  const { response, startedAt } = exchange;
  response.once('close', () => {
    exchange.incomingBody?.discard();
    const status = response.writableFinished ? response.statusCode : clientClosedRequest;
    const durationMs = performance.now() - startedAt;
    const operation = exchange.route?.operation.id ?? (exchange.mcp === undefined ? unmatched : mcpOperation);
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
  const { requestId, request, access, errorCode, replayed, address, mcp } = exchange;
  return {
    requestId,
    operation,
    method: request.method,
    status,
    durationMs: Math.round(durationMs * 10) / 10,
    ...(address !== '' && { address }),
    ...(errorCode && { errorCode }),
    ...(replayed && { replayed }),
    ...(mcp && { mcpMethod: mcp.method, mcpRequestId: mcp.requestId, ...(mcp.tool && { tool: mcp.tool }) }),
    ...(access && { keyPrefix: access.keyPrefix, keyId: access.keyId, owner: access.owner }),
    ...(exchange.route?.orgId != null && { orgId: exchange.route.orgId }),
  };
}
