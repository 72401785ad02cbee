import type { Exchange } from './exchange.ts';

export type Window = { limit: number; remaining: number; resetSeconds: number };

export function setRateLimit({ headers }: Exchange, { limit, remaining, resetSeconds }: Window): void {
  headers['x-ratelimit-limit'] = limit;
  headers['x-ratelimit-remaining'] = remaining;
  headers['x-ratelimit-reset'] = resetSeconds;
}

export function removeRateLimit({ headers }: Exchange): void {
  delete headers['x-ratelimit-limit'];
  delete headers['x-ratelimit-remaining'];
  delete headers['x-ratelimit-reset'];
}
