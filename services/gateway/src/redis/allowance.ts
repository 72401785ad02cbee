import type { Access } from '../domain/access.ts';
import { callAllowance } from './allowance-call.ts';
import type { Counters } from './counters.ts';
import { attemptsKey } from './failed-attempts.ts';
import { createMonthlyQuota } from './monthly-quota.ts';
import type { ClaimBlock } from './monthly-quota.ts';
import { allowanceKey } from './scripts.ts';
import type { SeenWindows } from './seen-windows.ts';

/** How a request stands to its key's allowances after it was counted. */
type Charge = {
  outcome: 'admitted' | 'gated' | 'over_minute' | 'over_month';
  limit: number;
  remaining: number;
  resetSeconds: number;
  nowMs: number;
  /** Month the request was charged to; null where it was charged to the minute alone. */
  month: number | null;
};

export type Allowance = {
  /**
   * `months: false` charges the minute alone. Nothing is charged where the client's address has presented too many
   * refused keys; both are judged by one script, so that a request costs Redis one call.
   */
  charge(access: Access, options: { months: boolean; address: string }): Promise<Charge>;
  /** Gives the month's unit of an admitted request back. */
  refund(access: Access, month: number): Promise<void>;
};

/** Minute window and monthly quota of a key: one script call, and one statement for each block of the quota. */
export function createAllowance(
  counters: Counters,
  options: { seen: SeenWindows; failedAttemptsMost: number; claimBlock: ClaimBlock },
): Allowance {
  const { seen, failedAttemptsMost, claimBlock } = options;
  const monthly = createMonthlyQuota(counters, claimBlock);
  return {
    charge: async (access, { months, address }) => {
      const mode = !months ? 'none' : access.monthlyQuota === null ? 'unlimited' : 'quota';
      const last = seen.last(access.keyId);
      const keys = [allowanceKey(access.keyId), attemptsKey(address)];
      const window = [access.perMinute, last.minute, last.count, mode];
      const reply = await callAllowance(counters, 'chargeRequest', keys, ...window, failedAttemptsMost);
      const charge = {
        limit: access.perMinute,
        remaining: Math.max(0, access.perMinute - reply.count),
        resetSeconds: (reply.minute + 1) * 60,
        nowMs: reply.nowMs,
      };
      if (reply.state === 'gate') return { ...charge, outcome: 'gated', month: null };
      seen.learn(access.keyId, reply.minute, reply.count);
      if (reply.state === 'rate') return { ...charge, outcome: 'over_minute', month: null };
      const within = reply.state === 'ok' || (await monthly.settle(access, reply));
      if (!within) return { ...charge, outcome: 'over_month', month: null };
      return { ...charge, outcome: 'admitted', month: months ? reply.month : null };
    },
    refund: async (access, month) => {
      if (access.monthlyQuota === null) return;
      await counters.call('refundMonth', [allowanceKey(access.keyId)], month);
    },
  };
}
