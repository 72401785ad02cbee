import type { allowanceChanged, TypedEnvelope } from '@bv/events';
import type { Transaction } from '@bv/postgres';
import { upsertScanAllowance } from '../db/projections.ts';

/** Stores the manual scan allowance that `usage` returns. */
export async function onAllowanceChanged(
  tx: Transaction,
  { data, version }: TypedEnvelope<typeof allowanceChanged>,
): Promise<void> {
  await upsertScanAllowance(tx, data, version);
}
