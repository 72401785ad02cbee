import { pruneOperations } from '@bv/http';
import type { Pool } from '@bv/postgres';
import type { Logger } from '@bv/telemetry';
import { deleteOldProgress } from './db/operation-progress.ts';

const hourMs = 60 * 60 * 1_000;
const batch = 500;
const mostBatches = 200;

/** Forgets recorded answers and progress that no retry can ask for any more. */
async function prune(pool: Pool): Promise<void> {
  await pruneOperations(pool);
  for (let round = 0; round < mostBatches; round += 1) {
    if ((await deleteOldProgress(pool, batch)) < batch) return;
  }
}

/** Hourly; a failure waits for the next hour. */
export function startUpkeep(pool: Pool, log: Logger, intervalMs = hourMs): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = running
      .then(() => prune(pool))
      .catch((error: unknown) => log.warn({ err: error }, 'upkeep failed'));
  }, intervalMs);
  timer.unref();
  return {
    stop: () => {
      clearInterval(timer);
      return running;
    },
  };
}
