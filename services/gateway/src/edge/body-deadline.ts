import type { IncomingMessage } from 'node:http';
import { queueOf } from './request-queue.ts';

export function declaresBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Closes the connection when the body is not there in time, without a byte of an answer; also where the request
 * was refused before its body. Not Node's requestTimeout: that answers 408.
 */
export function closeOnSlowBody(request: IncomingMessage, timeoutMs: number): void {
  const { socket } = request;
  const timer = setTimeout(() => {
    if (!request.complete) queueOf(socket).expire();
  }, timeoutMs).unref();
  // No listener on the connection: it may carry any number of pipelined requests.
  request.once('close', () => {
    if (request.complete || socket.destroyed) clearTimeout(timer);
  });
}
