import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { errorBody } from '@bv/contract';
import type { ApiError } from '@bv/contract';

/** RFC 9112, 9.6: how long the client's further bytes are received, so that a reset does not destroy the response. */
const lingerMs = 1_000;

/** Adds `Connection: close` to the response, unless its head has been sent. */
export function closeAfterResponse(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}

/** Receives and drops further bytes of the client. They never reach the parser. */
export function discardInput(socket: Socket): void {
  // Node destroys a socket right after its last response.
  socket.destroySoon = () => closeLingering(socket);
  socket.removeAllListeners('data');
  socket.on('data', () => undefined).resume();
}

/** Closes the sending side now, and the socket after the client has closed its side or after `lingerMs`. */
export function closeLingering(socket: Socket): void {
  if (socket.destroyed || socket.writableEnded) return;
  socket.end();
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => clearTimeout(timer));
}

/** Sends an error response for bytes that belong to no request. */
export function refuseRaw(socket: Socket, error: ApiError): void {
  if (!socket.writable) return void socket.destroy();
  const requestId = randomUUID();
  const body = JSON.stringify(errorBody(error, requestId));
  const head = [
    `HTTP/1.1 ${error.status} ${error.status === 431 ? 'Request Header Fields Too Large' : 'Bad Request'}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    `X-Request-Id: ${requestId}`,
    `Date: ${new Date().toUTCString()}`,
    'Connection: close',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  closeLingering(socket);
}
