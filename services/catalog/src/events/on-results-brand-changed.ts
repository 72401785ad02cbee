import type { TypedEnvelope, resultsBrandChanged } from '@bv/events';
import type { Transaction } from '@bv/postgres';
import { upsertBrandChange } from '../db/projections.ts';

/** Stores the change token that the brand detail returns. */
export async function onResultsBrandChanged(
  tx: Transaction,
  { data, version }: TypedEnvelope<typeof resultsBrandChanged>,
): Promise<void> {
  await upsertBrandChange(tx, data, version);
}
