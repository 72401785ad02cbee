import type { EnvelopeOf, resultsBrandChanged } from '@bv/events';
import type { Transaction } from '@bv/postgres';
import { upsertBrandChange } from '../db/projections.ts';

/** Results has moved a brand's change token; the brand detail shows it. */
export async function onResultsBrandChanged(
  tx: Transaction,
  { data, version }: EnvelopeOf<typeof resultsBrandChanged>,
): Promise<void> {
  await upsertBrandChange(tx, data, version);
}
