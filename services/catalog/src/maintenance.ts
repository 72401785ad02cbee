import { pruneOperations } from '@bv/http';
import { removeInBatches, type Pool } from '@bv/postgres';
import { deleteOldProgress } from './db/operation-progress.ts';

/** Deletes recorded responses and operation progress that are too old for any retry. */
export async function runMaintenance(pool: Pool, stopping: AbortSignal): Promise<void> {
  await pruneOperations(pool, stopping);
  await removeInBatches((limit) => deleteOldProgress(pool, limit), stopping);
}
