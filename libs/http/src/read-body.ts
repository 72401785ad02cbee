import type { IncomingMessage } from 'node:http';
import { ApiError } from '@bv/contract';
import { ClientGoneError, IncomingBody } from './incoming-body.ts';

const limitBytes = 1_048_576;
const decoder = new TextDecoder('utf-8', { fatal: true });

/** The JSON body of a request; undefined when it has none. */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const { 'content-encoding': encoding = 'identity', 'content-length': length = '0' } = request.headers;
  if (encoding !== 'identity') throw new ApiError('invalid_body');
  if (Number(length) > limitBytes) throw new ApiError('payload_too_large');
  const raw = await new IncomingBody(request, limitBytes).read().catch((error: unknown) => {
    throw error instanceof ClientGoneError ? new ApiError('invalid_body', { cause: error }) : error;
  });
  return raw.length === 0 ? undefined : parse(decode(raw));
}

function decode(raw: Buffer): string {
  try {
    return decoder.decode(raw);
  } catch (cause) {
    throw new ApiError('invalid_body', { cause });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ApiError('invalid_json', { cause });
  }
}
