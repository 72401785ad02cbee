import type { Access } from '../domain/access.ts';
import { callCharge } from './counters.ts';
import type { Counters } from './counters.ts';
import { createMonthlyQuota } from './monthly-quota.ts';
import type { LeaseQuotaBlock } from './monthly-quota.ts';
import { allowanceKey, attemptsKey } from './scripts.ts';

/** State of the allowances of a key after a request was counted. */
type Charge = {
  outcome: 'admitted' | 'address_blocked' | 'over_minute' | 'over_month';
  limit: number;
  remaining: number;
  resetSeconds: number;
  nowMs: number;
  /** Month to which the request was charged, 202611 for November 2026; null if only the minute was charged. */
  month: number | null;
};

export type Allowance = {
  /**
   * `months: false` charges only the minute. Nothing is charged when the client address has too many failed attempts.
   * One script checks both, so that a request needs one Redis call.
   */
  charge(access: Access, options: { months: boolean; address: string }): Promise<Charge>;
  /** Refunds the monthly unit of an admitted request. */
  refund(access: Access, month: number): Promise<void>;
};

/** Charges minute window and monthly quota of a key: one script call, and one SQL statement for each block of the quota. */
export function createAllowance(
  counters: Counters,
  options: { observed: ObservedWindows; maxFailedAttempts: number; leaseQuotaBlock: LeaseQuotaBlock },
): Allowance {
  const { observed, maxFailedAttempts, leaseQuotaBlock } = options;
  const monthly = createMonthlyQuota(counters, leaseQuotaBlock);
  return {
    charge: async (access, { months, address }) => {
      const mode = !months ? 'none' : access.monthlyQuota === null ? 'unlimited' : 'quota';
      const last = observed.get(access.keyId);
      const keys = [allowanceKey(access.keyId), attemptsKey(address)];
      const window = [access.perMinute, last.minute, last.count, mode];
      const reply = await callCharge(counters, 'chargeRequest', keys, ...window, maxFailedAttempts);
      const charge = {
        limit: access.perMinute,
        remaining: Math.max(0, access.perMinute - reply.count),
        resetSeconds: (reply.minute + 1) * 60,
        nowMs: reply.nowMs,
      };
      if (reply.state === 'address_blocked') return { ...charge, outcome: 'address_blocked', month: null };
      observed.record(access.keyId, reply.minute, reply.count);
      if (reply.state === 'rate') return { ...charge, outcome: 'over_minute', month: null };
      const hasUnit = reply.state === 'ok' || (await monthly.acquireUnit(access, reply));
      if (!hasUnit) return { ...charge, outcome: 'over_month', month: null };
      return { ...charge, outcome: 'admitted', month: months ? reply.month : null };
    },
    refund: async (access, month) => {
      if (access.monthlyQuota === null) return;
      await counters.call('refundMonth', [allowanceKey(access.keyId)], month);
    },
  };
}

/**
 * The highest count of each key in the current minute that this gateway has observed. Each charge carries it, because Redis
 * may have lost its own (ADR 13).
 */
export type ObservedWindows = {
  get(keyId: string): { minute: number; count: number };
  record(keyId: string, minute: number, count: number): void;
};

const none = { minute: 0, count: 0 };

export function createObservedWindows(): ObservedWindows {
  let current = 0;
  let counts = new Map<string, number>();
  return {
    get: (keyId) => {
      const count = counts.get(keyId);
      return count === undefined ? none : { minute: current, count };
    },
    record: (keyId, minute, count) => {
      if (minute < current) return;
      // Keeps the keys of one minute. A new minute replaces the whole Map.
      if (minute > current) counts = new Map();
      current = minute;
      counts.set(keyId, Math.max(count, counts.get(keyId) ?? 0));
    },
  };
}
