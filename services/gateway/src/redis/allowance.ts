import type { Access } from '../domain/access.ts';
import { callAllowance } from './allowance-call.ts';
import type { Counters } from './counters.ts';
import { createMonthlyQuota } from './monthly-quota.ts';
import type { ClaimBlock } from './monthly-quota.ts';
import type { SeenWindows } from './seen-windows.ts';

/** How a request stands to its key's allowances after it was counted. */
type Charge = {
  outcome: 'admitted' | 'over_minute' | 'over_month';
  limit: number;
  remaining: number;
  resetSeconds: number;
  nowMs: number;
  /** Month the request was charged to; null where it was charged to the minute alone. */
  month: number | null;
};

export type Allowance = {
  /** `months: false` charges the minute alone. */
  charge(access: Access, options: { months: boolean }): Promise<Charge>;
  /** Gives the month's unit of an admitted request back. */
  refund(access: Access, month: number): Promise<void>;
};

/** Minute window and monthly quota of a key: one script call, and one statement for each block of the quota. */
export function createAllowance(counters: Counters, seen: SeenWindows, claimBlock: ClaimBlock): Allowance {
  const monthly = createMonthlyQuota(counters, claimBlock);
  return {
    charge: async (access, { months }) => {
      const mode = !months ? 'none' : access.monthlyQuota === null ? 'unlimited' : 'quota';
      const last = seen.last(access.keyId);
      const window = [access.perMinute, last.minute, last.count, mode];
      const reply = await callAllowance(counters, 'chargeRequest', access.keyId, ...window);
      seen.learn(access.keyId, reply.minute, reply.count);
      const charge = {
        limit: access.perMinute,
        remaining: Math.max(0, access.perMinute - reply.count),
        resetSeconds: (reply.minute + 1) * 60,
        nowMs: reply.nowMs,
      };
      if (reply.state === 'rate') return { ...charge, outcome: 'over_minute', month: null };
      const within = await monthly.settle(access, reply);
      if (!within) return { ...charge, outcome: 'over_month', month: null };
      return { ...charge, outcome: 'admitted', month: months ? reply.month : null };
    },
    refund: async (access, month) => {
      if (access.monthlyQuota === null) return;
      await counters.call('refundMonth', `rl:${access.keyId}`, month);
    },
  };
}
