import type { Transaction } from '@bv/postgres';
import { addSourceSums, deleteSourceSumsOfDay } from '../db/sources.ts';
import { listUnitIdsOfDay } from '../db/units.ts';

const maxBatchUnits = 2_000;

/** Recomputes the source sums of a brand's day from its units. The caller holds the lock of the brand's token row. */
export async function recomputeSources(tx: Transaction, brandId: string, runDate: string): Promise<void> {
  await deleteSourceSumsOfDay(tx, brandId, runDate);
  let after: string | null = null;
  do {
    const ids: string[] = await listUnitIdsOfDay(tx, brandId, runDate, { after, limit: maxBatchUnits });
    await addSourceSums(tx, brandId, ids);
    after = ids.at(-1) ?? null;
  } while (after !== null);
}
