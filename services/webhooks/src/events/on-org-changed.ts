import type { TypedEnvelope, orgChanged } from '@bv/events';
import type { Transaction } from '@bv/postgres';
import { upsertOrg } from '../db/orgs.ts';

export async function onOrgChanged(
  tx: Transaction,
  { data, version }: TypedEnvelope<typeof orgChanged>,
): Promise<void> {
  await upsertOrg(tx, { id: data.id, deletedAt: data.deleted_at, version });
}
