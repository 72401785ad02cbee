import { type Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
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
  /** Source of the connection. */
  agent: Agent;
  /**
   * Accepts folded headers, lines that end with LF, and similar. Only for an agent whose connections lead to one receiver:
   * if the parser finds another end of a response than the server meant, the next request would get the rest.
   */
  isLenient?: boolean;
};

/** Maximum total size of the interim responses (1xx) of one request. */
const maxInterimBytes = 16_384;

/** Maximum bytes before the final response: its head, interim responses, and empty lines, which the parser does not limit. */
const maxBytesBeforeResponse = 65_536;
/** Maximum received bytes for each byte of a body. A body in 1-byte chunks needs 6. */
const maxBytesPerBodyByte = 8;
const spareBytes = 262_144;

const headerOverflow = 'HPE_HEADER_OVERFLOW';
/** Codes of errors when the other side has closed a connection. */
const closedCodes = new Set(['ECONNRESET', 'EPIPE']);

/** A foreign server sent more bytes in headers, or around the body, than a response may have. */
export class HeadersTooLargeError extends Error {
  override readonly name = 'HeadersTooLargeError';
  readonly code = headerOverflow;
}

/**
 * The server closed a reused connection before the first byte of a response. It may have processed the request, but has
 * most probably closed the connection before.
 */
export class ClosedConnectionError extends Error {
  override readonly name = 'ClosedConnectionError';
  readonly code = 'ECONNRESET';
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
  const { method, url, headers, body, signal, agent, isLenient = false, maxBodyBytes } = outgoing;
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const request = send(url, { method, headers, signal, agent, insecureHTTPParser: isLenient });
    const countReceived = limitReceived(request, maxBodyBytes);
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
    request.on('error', (error) => {
      if (codeOf(error) === headerOverflow) reject(new HeadersTooLargeError());
      else if (request.reusedSocket && countReceived() === 0 && closedCodes.has(codeOf(error)))
        reject(new ClosedConnectionError('a reused connection was closed', { cause: error }));
      else reject(error);
    });
    if (outgoing.connectTimeoutMs !== undefined) limitConnecting(request, url, outgoing.connectTimeoutMs);
    request.end(body);
  });
}

/**
 * The parser limits headers, chunk extensions and trailers, but not empty lines or the zeros of a chunk size. Returns a
 * function that counts the bytes so far.
 */
function limitReceived(request: ClientRequest, maxBodyBytes: number): () => number {
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
  return () => received;
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

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : '';
}
