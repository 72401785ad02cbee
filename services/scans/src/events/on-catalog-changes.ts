import { type brandChanged, type orgChanged, recordPurge, type TypedEnvelope } from '@bv/events';
import type { Transaction } from '@bv/postgres';
import { storeBrand } from '../commands/brands.ts';
import { upsertOrg } from '../db/orgs.ts';

/** Updates the projection of an organisation. */
export async function onOrgChanged(
  tx: Transaction,
  { version, data }: TypedEnvelope<typeof orgChanged>,
): Promise<void> {
  await upsertOrg(tx, data, version);
  await recordPurge(tx, data);
}

/** Updates the projection of a brand. */
export function onBrandChanged(
  tx: Transaction,
  { version, data }: TypedEnvelope<typeof brandChanged>,
): Promise<void> {
  return storeBrand(tx, data, version);
}
