import type { Pool } from '@bv/postgres';
import type { Logger } from '@bv/telemetry';
import { upsertUsed } from '../db/quota-leases.ts';
import type { UsedDelta } from '../db/quota-leases.ts';

/** Keys in one statement. Building a statement of thousands of keys would block the event loop. */
const maxBatchSize = 500;
const retentionMs = 60_000;

/** Counts charged requests in memory and writes them to Postgres at an interval. Used for reports, never for decisions. */
export type Usage = {
  add(keyId: string, month: number, delta: 1 | -1): void;
  flush(): Promise<void>;
  /** Writes the rest and stops the timer. */
  stop(): Promise<void>;
};

type PendingUsage = UsedDelta & { isQueued: boolean };

export function startUsage(options: { pool: Pool; intervalMs: number; log: Logger }): Usage {
  const { pool, intervalMs, log } = options;
  /** Keys in use, kept for a minute. A new Map each second would be promoted by the garbage collector (ADR 6). */
  let byKey = new Map<string, PendingUsage>();
  let createdAt = performance.now();
  /** Entries with a delta to write. */
  let queue: PendingUsage[] = [];
  let flushing: Promise<void> = Promise.resolve();

  const add = (keyId: string, month: number, delta: number): void => {
    let used = byKey.get(keyId);
    if (used?.month !== month) byKey.set(keyId, (used = { keyId, month, delta: 0, isQueued: false }));
    used.delta += delta;
    if (used.isQueued) return;
    used.isQueued = true;
    queue.push(used);
  };
  const write = async (): Promise<void> => {
    const due = queue;
    queue = [];
    while (due.length > 0) {
      const batch = due.splice(-maxBatchSize).map(takeDelta);
      try {
        await upsertUsed(pool, batch);
      } catch (error) {
        // Goes to the end of the queue: a batch that can never be written must not block the others.
        for (const { keyId, month, delta } of batch) add(keyId, month, delta);
        queue = queue.concat(due);
        throw error;
      }
    }
    if (performance.now() - createdAt < retentionMs) return;
    byKey = new Map();
    createdAt = performance.now();
  };
  const flush = (): Promise<void> => {
    flushing = flushing.catch(() => undefined).then(write);
    return flushing;
  };
  const timer = setInterval(() => {
    flush().catch((error: unknown) =>
      log.warn({ err: error }, 'charged requests could not be written; retrying'),
    );
  }, intervalMs);
  return {
    add,
    flush,
    stop: async () => {
      clearInterval(timer);
      await flush();
    },
  };
}

function takeDelta(used: PendingUsage): UsedDelta {
  const { keyId, month, delta } = used;
  used.delta = 0;
  used.isQueued = false;
  return { keyId, month, delta };
}
