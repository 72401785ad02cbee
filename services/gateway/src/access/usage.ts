import type { Pool } from '@bv/postgres';
import type { Logger } from '@bv/telemetry';
import { upsertUsed } from '../db/quota-leases.ts';
import type { UsedDelta } from '../db/quota-leases.ts';

/** Written at once: making one statement of thousands of keys would hold up the requests of that moment. */
const batchMost = 500;
const forgottenAfterMs = 60_000;

/** Counts charged requests here and writes them to the ledger now and then: for reporting, never for deciding. */
export type Usage = {
  add(keyId: string, month: number, delta: 1 | -1): void;
  flush(): Promise<void>;
  /** Writes what is left and ends the timer. */
  stop(): Promise<void>;
};

type Used = UsedDelta & { waits: boolean };

export function startUsage(options: { pool: Pool; intervalMs: number; log: Logger }): Usage {
  const { pool, intervalMs, log } = options;
  /** Of the keys in use, for a minute: tables made anew each second would be garbage that has grown old. */
  let known = new Map<string, Used>();
  let knownSince = performance.now();
  /** Those with something to write. */
  let waiting: Used[] = [];
  let flushing: Promise<void> = Promise.resolve();

  const add = (keyId: string, month: number, delta: number): void => {
    let used = known.get(keyId);
    if (used?.month !== month) known.set(keyId, (used = { keyId, month, delta: 0, waits: false }));
    used.delta += delta;
    if (used.waits) return;
    used.waits = true;
    waiting.push(used);
  };
  const write = async (): Promise<void> => {
    const due = waiting;
    waiting = [];
    while (due.length > 0) {
      const batch = due.splice(-batchMost).map(takeDelta);
      try {
        await upsertUsed(pool, batch);
      } catch (error) {
        // Last the next time: one that never can be written must not keep the others from it.
        for (const { keyId, month, delta } of batch) add(keyId, month, delta);
        waiting = waiting.concat(due);
        throw error;
      }
    }
    if (performance.now() - knownSince < forgottenAfterMs) return;
    known = new Map();
    knownSince = performance.now();
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

function takeDelta(used: Used): UsedDelta {
  const { keyId, month, delta } = used;
  used.delta = 0;
  used.waits = false;
  return { keyId, month, delta };
}
