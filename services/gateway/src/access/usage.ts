import type { Pool } from '@bv/postgres';
import type { Logger } from '@bv/telemetry';
import { upsertUsed } from '../db/quota-leases.ts';
import type { UsedDelta } from '../db/quota-leases.ts';

/** Written at once: making one statement of thousands of keys would hold up the requests of that moment. */
const batchMost = 500;

/** Counts charged requests here and writes them to the ledger now and then: for reporting, never for deciding. */
export type Usage = {
  add(keyId: string, month: number, delta: 1 | -1): void;
  flush(): Promise<void>;
  /** Writes what is left and ends the timer. */
  stop(): Promise<void>;
};

export function startUsage(options: { pool: Pool; intervalMs: number; log: Logger }): Usage {
  const { pool, intervalMs, log } = options;
  /** By month, then by key. */
  let pending = new Map<number, Map<string, number>>();
  let flushing: Promise<void> = Promise.resolve();

  const add = (keyId: string, month: number, delta: number): void => {
    let ofMonth = pending.get(month);
    if (ofMonth === undefined) pending.set(month, (ofMonth = new Map()));
    ofMonth.set(keyId, (ofMonth.get(keyId) ?? 0) + delta);
  };
  const write = async (): Promise<void> => {
    const deltas = deltasOf(pending);
    pending = new Map();
    while (deltas.length > 0) {
      const batch = deltas.splice(-batchMost);
      try {
        await upsertUsed(pool, batch);
      } catch (error) {
        for (const { keyId, month, delta } of [...batch, ...deltas]) add(keyId, month, delta);
        throw error;
      }
    }
  };
  const flush = (): Promise<void> => {
    flushing = flushing.catch(() => undefined).then(write);
    return flushing;
  };
  const timer = setInterval(() => {
    flush().catch((error: unknown) => log.warn({ err: error }, 'charged requests are not written yet'));
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

function deltasOf(pending: ReadonlyMap<number, ReadonlyMap<string, number>>): UsedDelta[] {
  return [...pending].flatMap(([month, counts]) =>
    [...counts].map(([keyId, delta]) => ({ keyId, month, delta })),
  );
}
