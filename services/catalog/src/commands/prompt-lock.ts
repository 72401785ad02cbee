import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@bv/contract';
import { one, type Pool, type Transaction } from '@bv/postgres';
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
   * `waitMs`. `write` may run several times, so it must undo its changes when it throws `prompt_writes_busy`. If the
   * write in progress is stalled then, it throws `api_unavailable`.
   */
  run<T>(brandId: string, write: () => Promise<T>, waitMs?: number): Promise<T>;
};

type BrandQueue = { mutex: Mutex; users: number };

export function createPromptQueue(isStalled: (brandId: string) => Promise<boolean>): PromptQueue {
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
      } catch (error) {
        if (isBusy(error) && (await isStalled(brandId))) throw new ApiError('api_unavailable');
        throw error;
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

const isBusy = (error: unknown): boolean => error instanceof ApiError && error.code === 'prompt_writes_busy';

async function retryWhileBusy<T>(write: () => Promise<T>, deadline: number): Promise<T> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      // Random, so that processes do not retry at the same time.
      const pauseMs = 5 + Math.random() * 10;
      if (!isBusy(error) || performance.now() + pauseMs > deadline) throw error;
      await sleep(pauseMs);
    }
  }
}

const lockKey = `hashtextextended('prompt-writer:' || $1, 0)`;

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
    text: `select pg_try_advisory_xact_lock(${lockKey}) as free`,
    values: [brandId],
  });
  if (!free) throw new ApiError('prompt_writes_busy');
  return lockParents(tx, orgId, brandId);
}

/** Whether the transaction that holds the lock waits for the database: a write takes milliseconds. */
export async function isLockStalled(pool: Pool, brandId: string): Promise<boolean> {
  const { stalled } = await one<{ stalled: boolean }>(pool, {
    name: 'catalog.is_prompt_lock_stalled',
    text: `select exists (
             select from pg_locks held join pg_stat_activity holder using (pid)
              where held.locktype = 'advisory' and held.granted and holder.datname = current_database()
                and (held.classid::bigint << 32 | held.objid::bigint) = ${lockKey}
                and holder.xact_start < clock_timestamp() - interval '1 s') as stalled`,
    values: [brandId],
  });
  return stalled;
}
