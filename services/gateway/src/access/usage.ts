import type { Pool } from '@bv/postgres';
import type { Logger } from '@bv/telemetry';
import { upsertUsed } from '../db/quota-leases.ts';
import type { UsedDelta } from '../db/quota-leases.ts';

/** Counts charged requests here and writes them to the ledger now and then: for reporting, never for deciding. */
export type Usage = {
  add(keyId: string, month: number, delta: 1 | -1): void;
  flush(): Promise<void>;
  /** Writes what is left and ends the timer. */
  stop(): Promise<void>;
};

export function startUsage(options: { pool: Pool; intervalMs: number; log: Logger }): Usage {
  const { pool, intervalMs, log } = options;
  let pending = new Map<string, UsedDelta>();
  let flushing: Promise<void> = Promise.resolve();

  const add = (keyId: string, month: number, delta: number): void => {
    const id = `${keyId} ${month}`;
    const sum = (pending.get(id)?.delta ?? 0) + delta;
    pending.set(id, { keyId, month, delta: sum });
  };
  const write = async (): Promise<void> => {
    const deltas = pending;
    if (deltas.size === 0) return;
    pending = new Map();
    try {
      await upsertUsed(pool, [...deltas.values()]);
    } catch (error) {
      for (const { keyId, month, delta } of deltas.values()) add(keyId, month, delta);
      throw error;
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
