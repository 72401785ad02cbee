import { type brandChanged, type orgChanged, recordPurge, type TypedEnvelope } from '@bv/events';
import type { Transaction } from '@bv/postgres';
import { storeBrand } from '../commands/brands.ts';
import { lockAllowance, updateAllowanceVersion } from '../db/allowances.ts';
import { findOrg, upsertOrg } from '../db/orgs.ts';
import { toUtcMonth } from '../domain/calendar.ts';
import { publishAllowance } from '../publish/publish.ts';

/**
 * Updates the projection of an organisation. Publishes its allowance at first and when the limit changes, so that usage
 * is available before the first scan.
 */
export function onOrgChanged(now: () => Date) {
  return async (tx: Transaction, { version, data }: TypedEnvelope<typeof orgChanged>): Promise<void> => {
    await recordPurge(tx, data);
    // The lock is first, so that two states of one organisation are handled one after the other.
    const allowance = await lockAllowance(tx, data.id, toUtcMonth(now()));
    const before = await findOrg(tx, data.id);
    if ((await upsertOrg(tx, data, version)) === 0) return;
    const limit = data.limits.manual_scans;
    if (allowance.version > 0 && before?.manual_scans === limit) return;
    await publishAllowance(tx, await updateAllowanceVersion(tx, data.id), limit);
  };
}

/** Updates the projection of a brand. */
export function onBrandChanged(
  tx: Transaction,
  { version, data }: TypedEnvelope<typeof brandChanged>,
): Promise<void> {
  return storeBrand(tx, data, version);
}
