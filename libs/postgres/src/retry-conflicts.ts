import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs } from '@bv/resilience';
import { sqlState } from './availability.ts';

const maxRetries = 3;
/** The delay is completely random, so that writers that conflicted do not conflict again. */
const backoff = { baseMs: 20, maxMs: 640, jitter: 1 };
/** Serialization failure and deadlock: nothing was changed, and a repetition may succeed. */
const conflicts = new Set<unknown>(['40001', '40P01']);

/** Repeats `work` after a conflict with another transaction. */
export async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === maxRetries || !conflicts.has(sqlState(error))) throw error;
      await sleep(backoffMs(backoff, attempt));
    }
  }
}
