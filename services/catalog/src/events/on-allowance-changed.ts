import type { allowanceChanged, EnvelopeOf } from '@bv/events';
import type { Transaction } from '@bv/postgres';
import { upsertScanAllowance } from '../db/projections.ts';

/** Scans has said what is left of an organisation's manual scans; `usage` shows it. */
export async function onAllowanceChanged(
  tx: Transaction,
  { data, version }: EnvelopeOf<typeof allowanceChanged>,
): Promise<void> {
  await upsertScanAllowance(tx, data, version);
}
