import { type brandChanged, type orgChanged, recordPurge, type TypedEnvelope } from '@bv/events';
import type { Transaction } from '@bv/postgres';
import { upsertBrand, upsertOrg } from '../db/projections.ts';

export async function onOrgChanged(
  tx: Transaction,
  { data, version }: TypedEnvelope<typeof orgChanged>,
): Promise<void> {
  await upsertOrg(tx, { id: data.id, deletedAt: data.deleted_at, version });
  await recordPurge(tx, data);
}

export async function onBrandChanged(
  tx: Transaction,
  { data, version }: TypedEnvelope<typeof brandChanged>,
): Promise<void> {
  await upsertBrand(tx, { id: data.id, orgId: data.org_id, isOwn: data.is_own, version });
}
