import type { RequestListener, Server, ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '@bv/contract';
import type { ListenOptions } from '@bv/http';
import { queueOf } from './request-queue.ts';

const serverOptions: ServerOptions = {
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

/** Of the public and the operator listener: Node's own responses are replaced by those of the API. */
export const edgeListenOptions = {
  serverOptions,
  drainConnection: (socket) => queueOf(socket).drain(),
} satisfies Partial<ListenOptions>;

/** Makes a server respond to all that Node would respond to itself, in the common shape. */
export function takeOverServer(server: Server, listener: RequestListener): void {
  // A client that has closed its sending side still waits for its response.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket;
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') queueOf(socket).expire();
    else if (error.code?.startsWith('HPE_') === true) queueOf(socket).fail(refusalOf(error.code));
    else socket.destroy();
  });
  server.on('connect', (_request, stream) => {
    const socket = stream as Socket;
    const queue = queueOf(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => queue.abort());
    queue.fail(new ApiError('invalid_request'));
  });
  // The 100 is sent when the body is wanted; an expectation nobody knows is passed over.
  server.on('checkContinue', listener);
  server.on('checkExpectation', listener);
}

function refusalOf(parserCode: string): ApiError {
  return new ApiError(parserCode === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'invalid_request');
}
