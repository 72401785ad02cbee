import { ApiError } from '@bv/contract';
import type { EdgeContext } from '../context.ts';
import { nextMonthMs, secondsUntil } from '../domain/quota.ts';
import { refuseAddress } from './check-failed-attempts.ts';
import { accessOf } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import { setRateLimit } from './rate-limit-headers.ts';

/** The address's failed attempts, minute, plan, month, in this order; from here on every answer tells how the minute stands. */
export async function chargeAllowance(exchange: Exchange, context: EdgeContext): Promise<void> {
  const access = accessOf(exchange);
  const charge = await context.allowance.charge(access, {
    months: access.entitled,
    address: exchange.address,
  });
  if (charge.outcome === 'gated') {
    context.edgeMetrics.gate('refused');
    throw refuseAddress(exchange, context, charge);
  }
  setRateLimit(exchange, charge);
  if (charge.outcome === 'over_minute') {
    context.edgeMetrics.limiter('over_minute');
    const retryAfterSeconds = secondsUntil(charge.resetSeconds * 1_000, charge.nowMs);
    throw new ApiError('rate_limited', { retryAfterSeconds });
  }
  if (!access.entitled) {
    context.edgeMetrics.limiter('not_entitled');
    throw new ApiError('tier_not_entitled');
  }
  if (charge.outcome === 'over_month') {
    context.edgeMetrics.limiter('over_month');
    throw new ApiError('quota_exceeded', {
      retryAfterSeconds: secondsUntil(nextMonthMs(charge.nowMs), charge.nowMs),
    });
  }
  context.edgeMetrics.limiter('admitted');
  exchange.chargedMonth = charge.month;
  if (charge.month !== null) context.usage.add(access.keyId, charge.month, 1);
}
