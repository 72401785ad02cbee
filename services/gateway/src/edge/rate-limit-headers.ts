import type { Response } from 'express';

export type Window = { limit: number; remaining: number; resetSeconds: number };

const names = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'] as const;

export function setRateLimit(response: Response, { limit, remaining, resetSeconds }: Window): void {
  for (const [index, value] of [limit, remaining, resetSeconds].entries()) {
    response.setHeader(names[index] ?? '', String(value));
  }
}

export function removeRateLimit(response: Response): void {
  for (const name of names) response.removeHeader(name);
}
