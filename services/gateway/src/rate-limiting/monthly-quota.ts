import { setTimeout as sleep } from 'node:timers/promises';
import type { QuotaBlockRequest } from '../db/quota-leases.ts';
import type { Access } from '../domain/access.ts';
import { leaseBlockSize } from '../domain/quota.ts';
import { callCharge, rateLimiterUnavailable } from './counters.ts';
import type { ChargeReply, Counters } from './counters.ts';
import { allowanceKey } from './scripts.ts';

export type LeaseQuotaBlock = (request: QuotaBlockRequest) => Promise<number>;

/** Resolves a charge: true when the month has granted a unit, false when its quota is used up. */
export type MonthlyQuota = { acquireUnit(access: Access, first: ChargeReply): Promise<boolean> };

type Waiter = {
  since: number;
  resolve: (granted: boolean) => void;
  reject: (error: unknown) => void;
};

/** Requests of one key that found the leased block used up. */
type Queue = {
  access: Access;
  waiters: Waiter[];
  /** The month for which this gateway has the right to lease a block. */
  grantedMonth: number | undefined;
};

const maxWaitMs = 1_000;
const pollMs = 5;

/** One queue for each key: one lease serves all waiting requests. */
export function createMonthlyQuota(counters: Counters, leaseQuotaBlock: LeaseQuotaBlock): MonthlyQuota {
  const queues = new Map<string, Queue>();

  const run = async (queue: Queue): Promise<void> => {
    try {
      while (queue.waiters.length > 0) {
        if (queue.grantedMonth !== undefined)
          await leaseForWaiters(counters, leaseQuotaBlock, queue, queue.grantedMonth);
        else await pollForBlock(counters, queue);
        rejectExpired(queue);
      }
    } catch (error) {
      for (const { reject } of queue.waiters) reject(rateLimiterUnavailable(error));
    } finally {
      queues.delete(queue.access.keyId);
    }
  };
  return {
    acquireUnit: (access, { state, month }) => {
      if (state === 'ok' || state === 'quota') return Promise.resolve(state === 'ok');
      return new Promise((resolve, reject) => {
        const existing = queues.get(access.keyId);
        const queue = existing ?? { access, waiters: [], grantedMonth: undefined };
        queue.waiters.push({ since: performance.now(), resolve, reject });
        if (state === 'lease') queue.grantedMonth = month;
        if (existing !== undefined) return;
        queues.set(access.keyId, queue);
        void run(queue);
      });
    },
  };
}

/**
 * Leases a block and a unit for every waiter. The units of the waiters do not pass through Redis, so Redis never holds
 * more than the block and loses at most that.
 */
async function leaseForWaiters(
  counters: Counters,
  leaseQuotaBlock: LeaseQuotaBlock,
  queue: Queue,
  month: number,
): Promise<void> {
  const { keyId, monthlyQuota } = queue.access;
  queue.grantedMonth = undefined;
  const quota = monthlyQuota ?? 0;
  const demand = queue.waiters.length;
  const granted = await leaseQuotaBlock({ keyId, month, quota, block: leaseBlockSize(quota), demand });
  // Requests that arrived during the lease are served too, as far as the grant suffices.
  const served = queue.waiters.splice(0, granted === 0 ? queue.waiters.length : granted);
  const rest = Math.max(0, granted - served.length);
  await counters
    .call('depositLease', [allowanceKey(keyId)], month, rest, granted === 0 ? 1 : 0)
    .catch(() => undefined);
  for (const { resolve } of served) resolve(granted > 0);
}

/** Another gateway has the right to lease. Waits until units are available or this gateway gets the right. */
async function pollForBlock(counters: Counters, queue: Queue): Promise<void> {
  await sleep(pollMs);
  const [first, ...others] = queue.waiters.splice(0);
  if (first === undefined) return;
  const state = await tryCharge(counters, queue, first);
  // The first reply shows whether the other requests can get units too.
  if (state === 'wait' || state === 'lease') queue.waiters.push(...others);
  else await Promise.all(others.map((waiter) => tryCharge(counters, queue, waiter)));
}

async function tryCharge(counters: Counters, queue: Queue, waiter: Waiter): Promise<ChargeReply['state']> {
  try {
    const { state, month } = await callCharge(counters, 'chargeMonth', [allowanceKey(queue.access.keyId)]);
    if (state === 'lease') queue.grantedMonth = month;
    if (state === 'ok' || state === 'quota') waiter.resolve(state === 'ok');
    else queue.waiters.push(waiter);
    return state;
  } catch (error) {
    waiter.reject(error);
    return 'wait';
  }
}

function rejectExpired(queue: Queue): void {
  const oldest = performance.now() - maxWaitMs;
  for (const { since, reject } of queue.waiters) {
    if (since < oldest) reject(rateLimiterUnavailable(new Error('no quota block was leased in time')));
  }
  queue.waiters = queue.waiters.filter(({ since }) => since >= oldest);
}
