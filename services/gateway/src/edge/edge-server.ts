import type { RequestListener, Server, ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '@bv/contract';
import { listen } from '@bv/http';
import type { Listening } from '@bv/http';
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

/** Serves the public or the operator API. Responses of the API replace those that Node sends itself. */
export async function serveClients(
  listener: RequestListener,
  address: { port: number; host: string; signal: AbortSignal },
): Promise<Listening> {
  const listening = await listen(listener, {
    ...address,
    serverOptions,
    drainConnection: (socket) => getQueue(socket).drain(),
  });
  replaceResponses(listening.server, listener);
  return listening;
}

function replaceResponses(server: Server, listener: RequestListener): void {
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
