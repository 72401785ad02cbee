import { pruneOperations } from '@bv/http';
import { removeInBatches, type Pool } from '@bv/postgres';
import { deleteOldProgress } from './db/operation-progress.ts';

const batch = 500;

/** Forgets recorded answers and progress that no retry can ask for any more. */
export async function upkeep(pool: Pool, stopping: AbortSignal): Promise<void> {
  await pruneOperations(pool, stopping);
  await removeInBatches(batch, (limit) => deleteOldProgress(pool, limit), stopping);
}
