import type { RequestListener, Server, ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '@bv/contract';
import type { ListenOptions } from '@bv/http';
import { getQueue } from './request-queue.ts';

const serverOptions: ServerOptions = {
  // Node would send 408 during a body. The body has its own deadline.
  requestTimeout: 0,
  headersTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16 * 1_024,
  // Node would send a 400 without a body.
  requireHostHeader: false,
  // Skips the stream events of requests without a body.
  optimizeEmptyRequests: true,
};

/** Options of the public and the operator listener. Responses of the API replace those of Node. */
export const edgeListenOptions = {
  serverOptions,
  drainConnection: (socket) => getQueue(socket).drain(),
} satisfies Partial<ListenOptions>;

/** Replaces the responses that Node sends itself by error responses of the API. */
export function takeOverServer(server: Server, listener: RequestListener): void {
  // A client that has closed its sending side still expects its response.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket;
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') getQueue(socket).expire();
    else if (error.code?.startsWith('HPE_') === true) getQueue(socket).fail(toRefusal(error.code));
    else socket.destroy();
  });
  server.on('connect', (_request, stream) => {
    const socket = stream as Socket;
    const queue = getQueue(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => queue.abort());
    queue.fail(new ApiError('invalid_request'));
  });
  // The edge sends 100 when it reads the body, and ignores unknown expectations.
  server.on('checkContinue', listener);
  server.on('checkExpectation', listener);
}

function toRefusal(parserCode: string): ApiError {
  return new ApiError(parserCode === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'invalid_request');
}
