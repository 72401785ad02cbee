import { ApiError } from '@bv/contract';
import express from 'express';
import type { Request, Response } from 'express';

const limitBytes = 1_048_576;
const readRaw = express.raw({ limit: limitBytes, type: () => true, inflate: false });
const decoder = new TextDecoder('utf-8', { fatal: true });

/** The JSON body of a request; undefined when it has none. */
export async function readJsonBody(request: Request, response: Response): Promise<unknown> {
  await new Promise<void>((resolve, reject) => {
    readRaw(request, response, (error?: unknown) =>
      error === undefined ? resolve() : reject(asRefusal(error)),
    );
  });
  const raw = request.body as Buffer | undefined;
  if (raw === undefined || raw.length === 0) return undefined;
  return parse(decode(raw));
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

function asRefusal(error: unknown): unknown {
  const { type } = error as { type?: unknown };
  if (type === 'entity.too.large') return new ApiError('payload_too_large', { cause: error });
  return typeof type === 'string' ? new ApiError('invalid_body', { cause: error }) : error;
}
