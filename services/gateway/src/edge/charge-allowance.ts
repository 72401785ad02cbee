import { ApiError } from '@bv/contract';
import type { EdgeContext } from '../context.ts';
import { refusalCode } from '../upstream/response-handler.ts';
import type { UpstreamResponse } from '../upstream/response-handler.ts';
import { nextMonthMs, secondsUntil } from '../domain/quota.ts';
import { refuseAddress } from './authenticate.ts';
import { getAccess, setRateLimit } from './exchange.ts';
import type { Exchange } from './exchange.ts';

/** Checks failed attempts of the address, minute, tier and month, in this order. Later responses carry the rate limit headers. */
export async function chargeAllowance(exchange: Exchange, ctx: EdgeContext): Promise<void> {
  const access = getAccess(exchange);
  const charge = await ctx.allowance.charge(access, {
    months: access.entitled,
    address: exchange.address,
  });
  if (charge.outcome === 'address_blocked') {
    ctx.edgeMetrics.failedAttemptLimiter('refused');
    throw refuseAddress(exchange, ctx, charge);
  }
  setRateLimit(exchange, charge);
  if (charge.outcome === 'over_minute') {
    ctx.edgeMetrics.rateLimiter('over_minute');
    const retryAfterSeconds = secondsUntil(charge.resetSeconds * 1_000, charge.nowMs);
    throw new ApiError('rate_limited', { retryAfterSeconds });
  }
  if (!access.entitled) {
    ctx.edgeMetrics.rateLimiter('not_entitled');
    throw new ApiError('tier_not_entitled');
  }
  if (charge.outcome === 'over_month') {
    ctx.edgeMetrics.rateLimiter('over_month');
    throw new ApiError('quota_exceeded', {
      retryAfterSeconds: secondsUntil(nextMonthMs(charge.nowMs), charge.nowMs),
    });
  }
  ctx.edgeMetrics.rateLimiter('admitted');
  exchange.chargedMonth = charge.month;
  if (charge.month !== null) ctx.usage.add(access.keyId, charge.month, 1);
}

/** Refunds the monthly unit when the service refuses the tier, as when the edge refuses it. */
export async function refundRefusedTier(
  exchange: Exchange,
  upstreamResponse: UpstreamResponse,
  { allowance, usage, log }: EdgeContext,
): Promise<void> {
  const { chargedMonth } = exchange;
  if (upstreamResponse.status !== 403 || chargedMonth === null) return;
  if (refusalCode(upstreamResponse) !== 'tier_not_entitled') return;
  const access = getAccess(exchange);
  usage.add(access.keyId, chargedMonth, -1);
  await allowance.refund(access, chargedMonth).catch((cause: unknown) => {
    log.warn(
      { err: cause, requestId: exchange.requestId },
      'a unit of the monthly quota could not be refunded',
    );
  });
}
