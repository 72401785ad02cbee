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
  /** The most that the caller reads of the body. The caller checks it; the bytes around it are bounded here. */
  maxBodyBytes: number;
  /** Deadline of connecting, TLS included, for a connection that the agent opens. */
  connectTimeoutMs?: number;
  /** Where the connection comes from: a pool, or a function that opens one for this request alone. */
  connection: Pick<RequestOptions, 'agent'> | Required<Pick<RequestOptions, 'createConnection'>>;
};

/** Interim responses (1xx) of one request may have at most this size together. */
const maxInterimBytes = 16_384;

/** All that may arrive before the final response: its head, interim responses, and empty lines, which have no limit. */
const maxBytesBeforeResponse = 65_536;
/** What may be received for each byte of a body: in 1-byte chunks it is 6. */
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
 * Sends a request to a foreign server and resolves with its final response; interim responses are skipped, asked for or
 * not (RFC 9110 15.2). The caller reads the body or destroys it.
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
      // Servers fold headers or end lines with LF alone. On a pooled connection another reading of where a response ends
      // would give its rest to the next request.
      insecureHTTPParser: 'createConnection' in connection,
    });
    limitReceived(request, maxBodyBytes);
    let interimBytes = 0;
    request.on('information', ({ rawHeaders, statusMessage }) => {
      interimBytes += rawHeaders.join().length + statusMessage.length + 16;
      if (interimBytes > maxInterimBytes)
        request.destroy(new HeadersTooLargeError('too many interim responses'));
    });
    // A server that switches protocols unasked sends no response after it, so 101 is the final status.
    request.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve(response);
    });
    request.on('response', resolve);
    // After the response it reports what its body reports too, or what follows a whole response.
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
