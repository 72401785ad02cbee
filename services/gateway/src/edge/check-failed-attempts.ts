import { ApiError } from '@bv/contract';
import type { EdgeContext } from '../context.ts';
import { clientAddress } from '../domain/client-address.ts';
import { secondsUntil } from '../domain/quota.ts';
import type { Attempts } from '../redis/failed-attempts.ts';
import type { Exchange } from './exchange.ts';
import { setRateLimit } from './rate-limit-headers.ts';

/** An address that presented too many refused keys is refused until its minute ends, a valid key included. */
export async function checkFailedAttempts(exchange: Exchange, context: EdgeContext): Promise<void> {
  const { request } = exchange;
  exchange.address = clientAddress(
    request.socket.remoteAddress,
    request.headers['x-forwarded-for']?.toString(),
    context.config.TRUSTED_PROXY_COUNT,
  );
  const attempts = await context.failedAttempts.read(exchange.address);
  if (attempts.count < context.config.FAILED_ATTEMPTS_PER_MINUTE) return;
  context.edgeMetrics.gate('refused');
  throw refuseAddress(exchange, context, attempts);
}

/** The window headers of such a refusal describe the address's allowance, not a key's. */
export function refuseAddress(exchange: Exchange, { config }: EdgeContext, attempts: Attempts): ApiError {
  const { resetSeconds, nowMs } = attempts;
  setRateLimit(exchange, { limit: config.FAILED_ATTEMPTS_PER_MINUTE, remaining: 0, resetSeconds });
  return new ApiError('rate_limited', { retryAfterSeconds: secondsUntil(resetSeconds * 1_000, nowMs) });
}
