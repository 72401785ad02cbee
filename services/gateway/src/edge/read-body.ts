import type { IncomingMessage } from 'node:http';
import { ApiError } from '@bv/contract';
import { IncomingBody } from '@bv/http';
import { parse as parseContentType } from 'content-type';
import type { EdgeResponse, Exchange } from './exchange.ts';
import { headerValue } from './header-lines.ts';
import type { HeaderLines } from './header-lines.ts';
import { getQueue } from './request-queue.ts';

const maxBodyBytes = 1_048_576;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

type Message = { request: IncomingMessage; lines: HeaderLines; declaresBody: boolean };

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

/** Starts to collect the body of a write. Any other body is received and dropped. */
export function openBody(message: Message): IncomingBody | undefined {
  const { request, declaresBody } = message;
  if (!declaresBody) return undefined;
  if (!isReadOnly(request) && !isTooLarge(message)) return new IncomingBody(request, maxBodyBytes);
  request.resume();
  return undefined;
}

/** Runs late in the pipeline, so that a write can be refused before its body is read. */
export async function readBody(exchange: Exchange): Promise<void> {
  const { request, response, declaresBody, incomingBody } = exchange;
  if (!declaresBody || isReadOnly(request)) return;
  if (incomingBody === undefined) throw new ApiError('payload_too_large');
  checkReadable(exchange);
  sendContinue(exchange, response);
  exchange.body = parseBody(await incomingBody.read());
}

/** Accepts only uncompressed UTF-8. Other encodings would be reported as invalid JSON. */
export function checkReadable({ lines }: { lines: HeaderLines }): void {
  const encoding = headerValue(lines, 'content-encoding') || 'identity';
  if (encoding.toLowerCase() !== 'identity') throw new ApiError('invalid_body');
  const charset = parseContentType(headerValue(lines, 'content-type') ?? '').parameters['charset'] || 'utf-8';
  if (!/^utf-?8$/i.test(charset)) throw new ApiError('invalid_body');
}

/** Whether the client waits for `100 Continue`: RFC 9110, 10.1.1. */
function expectsContinue({ request, lines, declaresBody }: Message): boolean {
  const expectation = headerValue(lines, 'expect');
  return declaresBody && request.httpVersion === '1.1' && expectation?.toLowerCase() === '100-continue';
}

export function sendContinue(message: Message, response: Pick<EdgeResponse, 'writeContinue'>): void {
  if (expectsContinue(message)) response.writeContinue();
}

/** A client that waits for `100 Continue` may send its body or not, so a refusal is the last response of its connection. */
export function closeIfBodyUncertain(message: Message): void {
  const { request } = message;
  if (expectsContinue(message) && !request.complete) getQueue(request.socket).close();
}

function isReadOnly({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

function isTooLarge({ lines }: Message): boolean {
  return Number(headerValue(lines, 'content-length') ?? 0) > maxBodyBytes;
}

function parseBody(raw: Buffer): Exchange['body'] {
  return { raw, json: raw.length === 0 ? undefined : parseJson(decode(raw)) };
}

function decode(raw: Buffer): string {
  try {
    return decoder.decode(raw);
  } catch (cause) {
    throw new ApiError('invalid_body', { cause });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ApiError('invalid_json', { cause });
  }
}
