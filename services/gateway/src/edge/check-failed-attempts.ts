import { ApiError } from '@bv/contract';
import type { EdgeContext } from '../context.ts';
import { clientAddress } from '../domain/client-address.ts';
import { secondsUntil } from '../domain/quota.ts';
import type { Refused } from '../redis/failed-attempts.ts';
import { setRateLimit } from './exchange.ts';
import type { Exchange } from './exchange.ts';

/**
 * Refuses an address with too many failed attempts until its minute ends, also with a valid key. This step uses only the
 * memory of this gateway. Attempts that other gateways counted are checked in Redis when the request is charged.
 */
export function checkFailedAttempts(exchange: Exchange, context: EdgeContext): void {
  const { request } = exchange;
  exchange.address = clientAddress(
    exchange.peerAddress,
    request.headers['x-forwarded-for']?.toString(),
    context.config.TRUSTED_PROXY_COUNT,
  );
  const blocked = context.failedAttempts.refused(exchange.address);
  if (blocked === undefined) return;
  context.edgeMetrics.authFailureLimiter('refused');
  throw refuseAddress(exchange, context, blocked);
}

/** The rate limit headers of this refusal describe the allowance of the address instead of a key. */
export function refuseAddress(
  exchange: Exchange,
  { config, failedAttempts }: EdgeContext,
  { nowMs, resetSeconds }: Refused,
): ApiError {
  failedAttempts.refuse(exchange.address, resetSeconds);
  setRateLimit(exchange, { limit: config.FAILED_ATTEMPTS_PER_MINUTE, remaining: 0, resetSeconds });
  return new ApiError('rate_limited', { retryAfterSeconds: secondsUntil(resetSeconds * 1_000, nowMs) });
}
