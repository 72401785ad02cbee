import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '@bv/contract';
import { IncomingBody } from '@bv/http';
import { parse as parseContentType } from 'content-type';
import type { Exchange } from './exchange.ts';
import { headerValue } from './header-lines.ts';
import type { HeaderLines } from './header-lines.ts';

const bodyMaxBytes = 1_048_576;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

type Message = { request: IncomingMessage; lines: HeaderLines; declaresBody: boolean };

/** Collects the body of a write from now on; any other body is received and dropped. */
export function openBody(message: Message): IncomingBody | undefined {
  const { request, declaresBody } = message;
  if (!declaresBody) return undefined;
  if (!isReadOnly(request) && !isTooLarge(message)) return new IncomingBody(request, bodyMaxBytes);
  request.resume();
  return undefined;
}

/** Read only now: a refused write is refused before its body. */
export async function readBody(exchange: Exchange): Promise<void> {
  const { request, response, declaresBody, incomingBody } = exchange;
  if (!declaresBody || isReadOnly(request)) return;
  if (incomingBody === undefined) throw new ApiError('payload_too_large');
  checkReadable(exchange);
  sendContinue(exchange, response);
  exchange.body = parseBody(await incomingBody.read());
}

/** Uncompressed UTF-8 or nothing: other bytes would be taken for a body that is wrong in itself. */
export function checkReadable({ lines }: { lines: HeaderLines }): void {
  const encoding = headerValue(lines, 'content-encoding') || 'identity';
  if (encoding.toLowerCase() !== 'identity') throw new ApiError('invalid_body');
  const charset = parseContentType(headerValue(lines, 'content-type') ?? '').parameters['charset'] || 'utf-8';
  if (!/^utf-?8$/i.test(charset)) throw new ApiError('invalid_body');
}

/** Whether the client waits for `100 Continue`: RFC 9110, 10.1.1. */
export function expectsContinue({ request, lines, declaresBody }: Message): boolean {
  const expectation = headerValue(lines, 'expect');
  return declaresBody && request.httpVersion === '1.1' && expectation?.toLowerCase() === '100-continue';
}

export function sendContinue(message: Message, response: ServerResponse): void {
  if (expectsContinue(message)) response.writeContinue();
}

function isReadOnly({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

function isTooLarge({ lines }: Message): boolean {
  return Number(headerValue(lines, 'content-length') ?? 0) > bodyMaxBytes;
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
