import { randomUUID } from 'node:crypto';
import type { RequestListener, Server, ServerOptions } from 'node:http';
import { ApiError, errorBody } from '@bv/contract';
import type { ErrorCode } from '@bv/contract';
import type { Duplex } from 'node:stream';

/** Node's own answers to what it does not like are switched off where the API has its own. */
export const edgeServerOptions: ServerOptions = {
  // Answers 408 in mid-body; the body has its own deadline.
  requestTimeout: 0,
  headersTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16 * 1_024,
  // Answers a bare 400.
  requireHostHeader: false,
  // A request without a body need not go through a stream's whole life.
  optimizeEmptyRequests: true,
};

/** What the HTTP parser refuses is answered in the common shape too. */
export function answerBrokenRequests(server: Server, edge: RequestListener): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' || error.code === 'ECONNRESET')
      return void socket.destroy();
    refuseRaw(socket, error.code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'invalid_request');
  });
  server.on('connect', (_request, socket) => refuseRaw(socket, 'invalid_request'));
  // The 100 is sent when the body is wanted; an expectation nobody knows is passed over.
  server.on('checkContinue', edge);
  server.on('checkExpectation', edge);
}

/** What Node keeps of the request that the socket is answering. */
type Answering = { headersSent?: boolean; req?: { complete?: boolean } };

function refuseRaw(socket: Duplex & { _httpMessage?: Answering | null }, code: ErrorCode): void {
  const answering = socket._httpMessage;
  // Behind an answer that has begun these bytes would be taken for its body; before the answer of a request that
  // arrived whole, for that answer, and a write that went through would look refused.
  const another = answering?.headersSent === true || answering?.req?.complete === true;
  if (!socket.writable || another) return void socket.destroy();
  const requestId = randomUUID();
  const error = new ApiError(code);
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
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  socket.once('finish', () => socket.destroy());
}
