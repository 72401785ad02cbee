import type { TypedEnvelope, orgChanged } from '@bv/events';
import type { Transaction } from '@bv/postgres';
import { upsertOrgAccess } from '../db/org-access.ts';

export async function onOrgChanged(
  tx: Transaction,
  envelope: TypedEnvelope<typeof orgChanged>,
): Promise<void> {
  await upsertOrgAccess(tx, envelope.version, envelope.data);
}
