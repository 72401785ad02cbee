import { ApiError } from '@bv/contract';
import type { Exchange } from './exchange.ts';

/** Refuses CORS preflight requests, which carry no key. */
export function rejectPreflight({ request, headers }: Exchange): void {
  if (request.method !== 'OPTIONS') return;
  const { origin, 'access-control-request-method': method } = request.headers;
  if (origin === undefined && method === undefined) return;
  headers.allow = 'GET, HEAD, POST, PUT, PATCH, DELETE';
  throw new ApiError('cors_disabled');
}
