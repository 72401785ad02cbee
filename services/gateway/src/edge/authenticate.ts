import { ApiError } from '@bv/contract';
import type { EdgeContext } from '../context.ts';
import { resolveAccess } from '../domain/access.ts';
import type { Access } from '../domain/access.ts';
import { hashKey, hasKeyShape } from '../domain/api-key.ts';
import { clientAddress } from '../domain/client-address.ts';
import { secondsUntil } from '../domain/quota.ts';
import type { Blocked } from '../rate-limiting/failed-attempts.ts';
import { setRateLimit } from './exchange.ts';
import type { Exchange } from './exchange.ts';

/**
 * Refuses an address with too many failed attempts until its minute ends, also with a valid key. This step uses only the
 * memory of this gateway. Attempts that other gateways counted are checked in Redis when the request is charged.
 */
export function checkFailedAttempts(exchange: Exchange, ctx: EdgeContext): void {
  const { request } = exchange;
  exchange.address = clientAddress(
    exchange.peerAddress,
    request.headers['x-forwarded-for']?.toString(),
    ctx.config.TRUSTED_PROXY_COUNT,
  );
  const blocked = ctx.failedAttempts.blocked(exchange.address);
  if (blocked === undefined) return;
  ctx.edgeMetrics.failedAttemptLimiter('refused');
  throw refuseAddress(exchange, ctx, blocked);
}

/** Checks shape, lookup, revocation, expiry, partner and organisation. Every reason gets the same 401. */
export async function authenticate(exchange: Exchange, ctx: EdgeContext): Promise<void> {
  exchange.access = hasKeyShape(exchange.presentedKey) ? await readAccess(exchange, ctx) : undefined;
  if (exchange.access !== undefined) return;
  const attempts = await ctx.failedAttempts.count(exchange.address);
  ctx.edgeMetrics.failedAttemptLimiter('counted');
  const maxAttempts = ctx.config.FAILED_ATTEMPTS_PER_MINUTE;
  // Parallel attempts get no more 401 responses than sequential ones.
  if (attempts.count > maxAttempts) throw refuseAddress(exchange, ctx, attempts);
  if (attempts.count === maxAttempts) ctx.failedAttempts.block(exchange.address, attempts.resetSeconds);
  throw new ApiError('invalid_api_key');
}

async function readAccess(
  exchange: Exchange,
  { access, config, log }: EdgeContext,
): Promise<Access | undefined> {
  const hashes = hashKey(exchange.presentedKey, config.KEY_PEPPERS).map(({ hash }) => hash);
  const orgId = exchange.route?.orgId ?? null;
  try {
    return resolveAccess(await access.read({ hashes, orgId }));
  } catch (cause) {
    log.error({ err: cause, requestId: exchange.requestId }, 'the access of the key could not be read');
    throw new ApiError('api_unavailable', { cause });
  }
}

/** The rate limit headers of this refusal describe the allowance of the address instead of a key. */
export function refuseAddress(
  exchange: Exchange,
  { config, failedAttempts }: EdgeContext,
  { nowMs, resetSeconds }: Blocked,
): ApiError {
  failedAttempts.block(exchange.address, resetSeconds);
  setRateLimit(exchange, { limit: config.FAILED_ATTEMPTS_PER_MINUTE, remaining: 0, resetSeconds });
  return new ApiError('rate_limited', { retryAfterSeconds: secondsUntil(resetSeconds * 1_000, nowMs) });
}
