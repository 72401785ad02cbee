import type { allowanceChanged, EnvelopeOf } from '@bv/events';
import type { Transaction } from '@bv/postgres';
import { upsertScanAllowance } from '../db/projections.ts';

/** Stores the manual scan allowance that `usage` returns. */
export async function onAllowanceChanged(
  tx: Transaction,
  { data, version }: EnvelopeOf<typeof allowanceChanged>,
): Promise<void> {
  await upsertScanAllowance(tx, data, version);
}
