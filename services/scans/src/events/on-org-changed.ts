import type { EnvelopeOf, orgChanged } from '@bv/events';
import type { Transaction } from '@bv/postgres';
import { lockAllowance, updateAllowanceVersion } from '../db/allowances.ts';
import { findOrg, upsertOrg } from '../db/orgs.ts';
import { monthOf } from '../domain/calendar.ts';
import { publishAllowance } from './publish.ts';

/**
 * Stores what this service needs of an organisation. Its allowance is told at once, and whenever the limit moves, so
 * that usage can be shown before the first scan.
 */
export function onOrgChanged(now: () => Date) {
  return async (tx: Transaction, { version, data }: EnvelopeOf<typeof orgChanged>): Promise<void> => {
    // First, so that two states of one organisation follow each other and each sees what the other stored.
    const allowance = await lockAllowance(tx, data.id, monthOf(now()));
    const before = await findOrg(tx, data.id);
    if ((await upsertOrg(tx, data, version)) === 0) return;
    const limit = data.limits.manual_scans;
    if (allowance.version > 0 && before?.manual_scans === limit) return;
    await publishAllowance(tx, await updateAllowanceVersion(tx, data.id), limit);
  };
}
