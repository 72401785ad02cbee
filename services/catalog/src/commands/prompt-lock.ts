import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@bv/contract';
import { one, type Transaction } from '@bv/postgres';
import { Mutex, type MutexInterface, withTimeout } from 'async-mutex';
import { type LockedParents, lockParents } from './brands.ts';

/** Time that a write of a brand's prompts waits for other writes of the same brand. */
export const maxWriteWaitMs = 2_000;

/**
 * Orders the prompt writes of a brand within this process. A write waits here without a database connection.
 * `lockForPromptWrite` acquires the lock against writes of other processes.
 */
export type PromptQueue = {
  /**
   * Runs `write` after the earlier writes of the brand, and retries it while another process writes, for at most
   * `waitMs`. `write` may run several times, so it must undo its changes when it throws `prompt_writes_busy`.
   */
  run<T>(brandId: string, write: () => Promise<T>, waitMs?: number): Promise<T>;
};

type BrandQueue = { mutex: Mutex; users: number };

export function createPromptQueue(): PromptQueue {
  const queues = new Map<string, BrandQueue>();
  return {
    run: async (brandId, write, waitMs = maxWriteWaitMs) => {
      const deadline = performance.now() + waitMs;
      const queue = queues.get(brandId) ?? { mutex: new Mutex(), users: 0 };
      queues.set(brandId, queue);
      queue.users += 1;
      const release = await acquire(queue.mutex, waitMs);
      try {
        return await retryWhileBusy(write, deadline);
      } finally {
        release?.();
        queue.users -= 1;
        if (queue.users === 0) queues.delete(brandId);
      }
    },
  };
}

/**
 * Undefined after a timeout. `write` runs nevertheless: it may return a recorded response, and the database lock
 * rejects any other write.
 */
async function acquire(mutex: Mutex, waitMs: number): Promise<MutexInterface.Releaser | undefined> {
  if (!mutex.isLocked()) return mutex.acquire();
  if (waitMs <= 0) return undefined;
  return withTimeout(mutex, waitMs)
    .acquire()
    .catch(() => undefined);
}

async function retryWhileBusy<T>(write: () => Promise<T>, deadline: number): Promise<T> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      const busy = error instanceof ApiError && error.code === 'prompt_writes_busy';
      // Random, so that processes do not retry at the same time.
      const pauseMs = 5 + Math.random() * 10;
      if (!busy || performance.now() + pauseMs > deadline) throw error;
      await sleep(pauseMs);
    }
  }
}

/**
 * Acquires the advisory lock of the brand's prompts, then the row locks of the organisation and the brand. All writes
 * use this order, which prevents deadlocks: a write rejected as busy never holds the organisation. It throws
 * `prompt_writes_busy` at once, because a waiting transaction would occupy its connection.
 */
export async function lockForPromptWrite(
  tx: Transaction,
  orgId: string,
  brandId: string,
): Promise<LockedParents> {
  const { free } = await one<{ free: boolean }>(tx, {
    name: 'catalog.try_prompt_lock',
    text: `select pg_try_advisory_xact_lock(hashtextextended('prompt-writer:' || $1, 0)) as free`,
    values: [brandId],
  });
  if (!free) throw new ApiError('prompt_writes_busy');
  return lockParents(tx, orgId, brandId);
}
