import { pruneOperations } from '@bv/http';
import type { Pool } from '@bv/postgres';
import { deleteOldProgress } from './db/operation-progress.ts';

const batch = 500;
const mostBatches = 200;

/** Forgets recorded answers and progress that no retry can ask for any more. */
export async function upkeep(pool: Pool): Promise<void> {
  await pruneOperations(pool);
  for (let round = 0; round < mostBatches; round += 1) {
    if ((await deleteOldProgress(pool, batch)) < batch) return;
  }
}
