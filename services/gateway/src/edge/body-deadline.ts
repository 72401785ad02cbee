import type { IncomingMessage } from 'node:http';
import { getQueue } from './request-queue.ts';

export function declaresBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Closes the connection without a response when the body does not arrive in time, also after the request was refused.
 * Node's `requestTimeout` does not fit: it sends a 408.
 */
export function closeOnSlowBody(request: IncomingMessage, timeoutMs: number): void {
  const { socket } = request;
  const timer = setTimeout(() => {
    if (!request.complete) getQueue(socket).expire();
  }, timeoutMs).unref();
  // No listener on the connection: it may carry any number of pipelined requests.
  request.once('close', () => {
    if (request.complete || socket.destroyed) clearTimeout(timer);
  });
}
