import { setTimeout as sleep } from 'node:timers/promises';
import type { LeaseClaim } from '../db/quota-leases.ts';
import type { Access } from '../domain/access.ts';
import { leaseBlock } from '../domain/quota.ts';
import { callAllowance } from './allowance-call.ts';
import type { AllowanceReply } from './allowance-call.ts';
import type { Counters } from './counters.ts';
import { uncountable } from './counters.ts';
import { allowanceKey } from './scripts.ts';

export type ClaimBlock = (claim: LeaseClaim) => Promise<number>;

/** Follows a charge until the month has given the request its unit (true) or has none left (false). */
export type MonthlyQuota = { settle(access: Access, first: AllowanceReply): Promise<boolean> };

type Waiter = {
  since: number;
  resolve: (granted: boolean) => void;
  reject: (error: unknown) => void;
};

/** The requests of one key that found the leased block used up. */
type Queue = {
  access: Access;
  waiters: Waiter[];
  /** The month for which this gateway was given the right to lease. */
  mayLease: number | undefined;
};

const longestWaitMs = 1_000;
const pollMs = 5;

/** One queue a key: however many requests wait, one of them leases, for all of them. */
export function createMonthlyQuota(counters: Counters, claimBlock: ClaimBlock): MonthlyQuota {
  const queues = new Map<string, Queue>();

  const run = async (queue: Queue): Promise<void> => {
    try {
      while (queue.waiters.length > 0) {
        if (queue.mayLease !== undefined) await leaseFor(counters, claimBlock, queue, queue.mayLease);
        else await askAgain(counters, queue);
        dropLate(queue);
      }
    } catch (error) {
      for (const { reject } of queue.waiters) reject(uncountable(error));
    } finally {
      queues.delete(queue.access.keyId);
    }
  };
  return {
    settle: (access, { state, month }) => {
      if (state === 'ok' || state === 'quota') return Promise.resolve(state === 'ok');
      return new Promise((resolve, reject) => {
        const known = queues.get(access.keyId);
        const queue = known ?? { access, waiters: [], mayLease: undefined };
        queue.waiters.push({ since: performance.now(), resolve, reject });
        if (state === 'lease') queue.mayLease = month;
        if (known !== undefined) return;
        queues.set(access.keyId, queue);
        void run(queue);
      });
    },
  };
}

/**
 * Claims a block and a unit for every waiter. The waiters' units never travel through Redis, so that it holds no
 * more than the block; a Redis that is gone by now loses only that.
 */
async function leaseFor(
  counters: Counters,
  claimBlock: ClaimBlock,
  queue: Queue,
  month: number,
): Promise<void> {
  const { keyId, monthlyQuota } = queue.access;
  queue.mayLease = undefined;
  const quota = monthlyQuota ?? 0;
  const demand = queue.waiters.length;
  const granted = await claimBlock({ keyId, month, quota, block: leaseBlock(quota), demand });
  // Whoever has come meanwhile is served from what is left.
  const served = queue.waiters.splice(0, granted === 0 ? queue.waiters.length : granted);
  const rest = Math.max(0, granted - served.length);
  await counters
    .call('depositLease', [allowanceKey(keyId)], month, rest, granted === 0 ? 1 : 0)
    .catch(() => undefined);
  for (const { resolve } of served) resolve(granted > 0);
}

/** Another gateway leases: in a moment there is something to take, or the right to lease comes here. */
async function askAgain(counters: Counters, queue: Queue): Promise<void> {
  await sleep(pollMs);
  const [first, ...others] = queue.waiters.splice(0);
  if (first === undefined) return;
  const state = await takeFor(counters, queue, first);
  // One answer tells whether it is worth asking for the others.
  if (state === 'wait' || state === 'lease') queue.waiters.push(...others);
  else await Promise.all(others.map((waiter) => takeFor(counters, queue, waiter)));
}

async function takeFor(counters: Counters, queue: Queue, waiter: Waiter): Promise<AllowanceReply['state']> {
  try {
    const { state, month } = await callAllowance(counters, 'chargeMonth', [allowanceKey(queue.access.keyId)]);
    if (state === 'lease') queue.mayLease = month;
    if (state === 'ok' || state === 'quota') waiter.resolve(state === 'ok');
    else queue.waiters.push(waiter);
    return state;
  } catch (error) {
    waiter.reject(error);
    return 'wait';
  }
}

function dropLate(queue: Queue): void {
  const oldest = performance.now() - longestWaitMs;
  for (const { since, reject } of queue.waiters) {
    if (since < oldest) reject(uncountable(new Error('the next block is not leased')));
  }
  queue.waiters = queue.waiters.filter(({ since }) => since >= oldest);
}
