import { pruneOperations } from '@bv/http';
import { type Lifecycle, startInterval } from '@bv/lifecycle';
import { type Pool, removeInBatches } from '@bv/postgres';
import type { Logger } from '@bv/telemetry';
import { deleteOldReprocessJobs } from './db/reprocess-jobs.ts';

const deletionMs = 60 * 60 * 1_000;
const batchSize = 5_000;
const reprocessJobDays = 30;

type Maintenance = { pool: Pool; log: Logger; lifecycle: Lifecycle };

/** Starts the periodic jobs: deletion of expired rows. */
export function startPeriodicJobs({ pool, log, lifecycle }: Maintenance): void {
  const deletion = startInterval(
    deletionMs,
    (stopping) => deleteExpired(pool, stopping),
    (error) => log.warn({ err: error }, 'maintenance failed; retrying'),
  );
  lifecycle.onStop('maintenance', () => deletion.stop());
}

/** Deletes stored responses of operations and ended reprocess jobs. */
async function deleteExpired(pool: Pool, stopping: AbortSignal): Promise<void> {
  await pruneOperations(pool, stopping);
  await removeInBatches(
    batchSize,
    (limit) => deleteOldReprocessJobs(pool, reprocessJobDays, limit),
    stopping,
  );
}
