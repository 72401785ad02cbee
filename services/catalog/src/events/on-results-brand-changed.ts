import type { EnvelopeOf, resultsBrandChanged } from '@bv/events';
import type { Transaction } from '@bv/postgres';
import { upsertBrandChange } from '../db/projections.ts';

/** Stores the change token that the brand detail returns. */
export async function onResultsBrandChanged(
  tx: Transaction,
  { data, version }: EnvelopeOf<typeof resultsBrandChanged>,
): Promise<void> {
  await upsertBrandChange(tx, data, version);
}
