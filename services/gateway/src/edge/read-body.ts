import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '@bv/contract';
import { parse as parseContentType } from 'content-type';
import type { Exchange } from './exchange.ts';

const bodyMaxBytes = 1_048_576;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The client went away before its body was there: nobody is left to answer. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError';
}

/** Read only now: a refused write is refused before its body. */
export async function readBody(exchange: Exchange): Promise<void> {
  const { request, response, declaresBody } = exchange;
  if (!declaresBody || request.method === 'GET' || request.method === 'HEAD') return;
  checkDeclared(request);
  exchange.body = parseBody(await collect(request, response));
}

function checkDeclared(request: IncomingMessage): void {
  if (Number(request.headers['content-length'] ?? 0) > bodyMaxBytes) throw new ApiError('payload_too_large');
  checkReadable(request);
}

/** Uncompressed UTF-8 or nothing: other bytes would be taken for a body that is wrong in itself. */
export function checkReadable(request: IncomingMessage): void {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding.trim().toLowerCase() !== 'identity') throw new ApiError('invalid_body');
  const { charset } = parseContentType(request.headers['content-type'] ?? '').parameters;
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) throw new ApiError('invalid_body');
}

export function collect(request: IncomingMessage, response: ServerResponse): Promise<Buffer> {
  if (request.headers.expect !== undefined) response.writeContinue();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const gone = (): void => reject(new ClientGoneError('the client left in mid-body'));
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      // The rest is read and thrown away, so that the client gets to see the refusal.
      if (size > bodyMaxBytes) reject(new ApiError('payload_too_large'));
      else chunks.push(chunk);
    });
    request.once('end', () => resolve(Buffer.concat(chunks, size > bodyMaxBytes ? 0 : size)));
    request.once('error', gone);
    request.once('close', gone);
  });
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
