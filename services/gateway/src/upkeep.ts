import { pruneOperations } from '@bv/http';
import type { Pool } from '@bv/postgres';
import type { Logger } from '@bv/telemetry';
import type { IdempotencyStore } from './idempotency/idempotency-store.ts';

const intervalMs = 60_000;

/** Forgets stored answers whose 24 hours are over, and recorded ones no retry can ask for any more. */
export function startUpkeep(options: { pool: Pool; idempotency: IdempotencyStore; log: Logger }): {
  stop(): Promise<void>;
} {
  const { pool, idempotency, log } = options;
  const prune = async (): Promise<void> => {
    await idempotency.prune();
    await pruneOperations(pool);
  };
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(prune).catch((error: unknown) => log.warn({ err: error }, 'upkeep failed'));
  }, intervalMs);
  return {
    stop: () => {
      clearInterval(timer);
      return running;
    },
  };
}
