import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@bv/contract';
import { Mutex, type MutexInterface, withTimeout } from 'async-mutex';

/** How long a write of a brand's prompts waits for other writes of them. */
export const maxWriteWaitMs = 2_000;

/**
 * Orders the prompt writes of a brand within this process. A write waits here, where it holds no database connection.
 * `enterPromptWrite` takes the lock that excludes writes of other processes.
 */
export type PromptWriteQueue = {
  /**
   * Runs `write` in turn, and again while another process writes, for at most `waitMs`. It may run several times, so
   * whatever it does must be undone when it throws `prompt_writes_busy`.
   */
  run<T>(brandId: string, write: () => Promise<T>, waitMs?: number): Promise<T>;
};

type BrandQueue = { mutex: Mutex; users: number };

export function createPromptWriteQueue(): PromptWriteQueue {
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
 * Undefined when the wait is over. `write` runs even so: it may have a recorded response to return, and the database
 * lock refuses everything else.
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
      // Random, so that processes do not retry in step.
      const pauseMs = 5 + Math.random() * 10;
      if (!busy || performance.now() + pauseMs > deadline) throw error;
      await sleep(pauseMs);
    }
  }
}
