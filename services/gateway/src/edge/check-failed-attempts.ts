import { ApiError } from '@bv/contract';
import type { EdgeContext } from '../context.ts';
import { clientAddress } from '../domain/client-address.ts';
import { secondsUntil } from '../domain/quota.ts';
import type { Refused } from '../redis/failed-attempts.ts';
import type { Exchange } from './exchange.ts';
import { setRateLimit } from './rate-limit-headers.ts';

/**
 * An address that presented too many refused keys is refused until its minute ends, a valid key included. Here where
 * this gateway knows of it already; what others have counted is seen when the request is charged.
 */
export function checkFailedAttempts(exchange: Exchange, context: EdgeContext): void {
  const { request } = exchange;
  exchange.address = clientAddress(
    exchange.peerAddress,
    request.headers['x-forwarded-for']?.toString(),
    context.config.TRUSTED_PROXY_COUNT,
  );
  const known = context.failedAttempts.refused(exchange.address);
  if (known === undefined) return;
  context.edgeMetrics.gate('refused');
  throw refuseAddress(exchange, context, known);
}

/** The window headers of such a refusal describe the address's allowance, not a key's. */
export function refuseAddress(
  exchange: Exchange,
  { config, failedAttempts }: EdgeContext,
  { nowMs, resetSeconds }: Refused,
): ApiError {
  failedAttempts.refuse(exchange.address, resetSeconds);
  setRateLimit(exchange, { limit: config.FAILED_ATTEMPTS_PER_MINUTE, remaining: 0, resetSeconds });
  return new ApiError('rate_limited', { retryAfterSeconds: secondsUntil(resetSeconds * 1_000, nowMs) });
}
