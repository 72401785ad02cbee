import type { Request } from 'express';

export function declaresBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Destroys the connection when the body is not there in time, without a byte of an answer; also where the request
 * was refused before its body. Not Node's requestTimeout: that answers 408.
 */
export function closeOnSlowBody(request: Request, timeoutMs: number): void {
  const { socket } = request;
  const forget = (): void => {
    clearTimeout(timer);
    socket.off('close', forget);
  };
  const timer = setTimeout(() => {
    if (!request.complete) socket.destroy();
    forget();
  }, timeoutMs);
  // The connection goes on to other requests; nothing of this one may stay on it.
  socket.once('close', forget);
  request.once('close', () => {
    if (request.complete) forget();
  });
}
