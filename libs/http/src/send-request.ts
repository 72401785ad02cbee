import {
  type ClientRequest,
  type IncomingMessage,
  request as requestHttp,
  type RequestOptions,
} from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';

export type OutgoingRequest = {
  method: string;
  url: URL;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
  signal: AbortSignal;
  /** Maximum size of the body, which the caller checks. `sendRequest` limits the bytes around it. */
  maxBodyBytes: number;
  /** Deadline of connecting, TLS included, for a connection that the agent opens. */
  connectTimeoutMs?: number;
  /** Source of the connection: a pool, or a function that opens one for this request. */
  connection: Pick<RequestOptions, 'agent'> | Required<Pick<RequestOptions, 'createConnection'>>;
};

/** Maximum total size of the interim responses (1xx) of one request. */
const maxInterimBytes = 16_384;

/** Maximum bytes before the final response: its head, interim responses, and empty lines, which the parser does not limit. */
const maxBytesBeforeResponse = 65_536;
/** Maximum received bytes for each byte of a body. A body in 1-byte chunks needs 6. */
const maxBytesPerBodyByte = 8;
const spareBytes = 262_144;

const headerOverflow = 'HPE_HEADER_OVERFLOW';

/** A foreign server sent more bytes in headers, or around the body, than a response may have. */
export class HeadersTooLargeError extends Error {
  override readonly name = 'HeadersTooLargeError';
  readonly code = headerOverflow;
}

/** The server did not accept a connection in time. */
class ConnectTimeoutError extends Error {
  override readonly name = 'ConnectTimeoutError';
  readonly code = 'ETIMEDOUT';
}

/**
 * Sends a request to a foreign server and resolves with its final response. Interim responses are skipped, also unrequested
 * ones (RFC 9110 15.2). The caller reads the body or destroys it.
 */
export function sendRequest(outgoing: OutgoingRequest): Promise<IncomingMessage> {
  const { method, url, headers, body, signal, connection, maxBodyBytes } = outgoing;
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const request = send(url, {
      method,
      headers,
      signal,
      ...connection,
      // Some servers fold headers or end lines with LF. On a pooled connection the lenient parser is unsafe: if it finds
      // another end of a response, the next request would get the rest.
      insecureHTTPParser: 'createConnection' in connection,
    });
    limitReceived(request, maxBodyBytes);
    let interimBytes = 0;
    request.on('information', ({ rawHeaders, statusMessage }) => {
      interimBytes += rawHeaders.join().length + statusMessage.length + 16;
      if (interimBytes > maxInterimBytes)
        request.destroy(new HeadersTooLargeError('too many interim responses'));
    });
    // A server that switches protocols without a request sends no further response, so 101 is the final status.
    request.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve(response);
    });
    request.on('response', resolve);
    // Errors after the response are reported by its body too, or concern bytes behind a complete response.
    request.on('error', (error) => reject(isHeaderOverflow(error) ? new HeadersTooLargeError() : error));
    if (outgoing.connectTimeoutMs !== undefined) limitConnecting(request, url, outgoing.connectTimeoutMs);
    request.end(body);
  });
}

/** The parser limits headers, chunk extensions and trailers, but not empty lines or the zeros of a chunk size. */
function limitReceived(request: ClientRequest, maxBodyBytes: number): void {
  let received = 0;
  let response: IncomingMessage | undefined;
  const tooLarge = (): Error => new HeadersTooLargeError('too many bytes around the body');
  // Runs after the parser has read the same piece.
  const onData = ({ length }: Buffer): void => {
    received += length;
    if (response === undefined) {
      if (received > maxBytesBeforeResponse) request.destroy(tooLarge());
    } else if (received > spareBytes + maxBytesPerBodyByte * maxBodyBytes) response.destroy(tooLarge());
  };
  request.once('response', (begun) => (response = begun));
  request.once('socket', (socket: Socket) => {
    socket.on('data', onData);
    request.once('close', () => socket.off('data', onData));
  });
}

function limitConnecting(request: ClientRequest, { protocol }: URL, timeoutMs: number): void {
  request.on('socket', (socket) => {
    if (!socket.connecting) return;
    const late = (): void => void request.destroy(new ConnectTimeoutError('not connected in time'));
    const timer = setTimeout(late, timeoutMs);
    const stop = (): void => clearTimeout(timer);
    socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', stop).once('close', stop);
  });
}

function isHeaderOverflow(error: Error): boolean {
  return 'code' in error && error.code === headerOverflow;
}
