import type { TypedEnvelope, brandChanged } from '@bv/events';
import type { Transaction } from '@bv/postgres';
import { upsertBrand } from '../db/brands.ts';

export async function onBrandChanged(
  tx: Transaction,
  { data, version }: TypedEnvelope<typeof brandChanged>,
): Promise<void> {
  await upsertBrand(tx, { id: data.id, orgId: data.org_id, isOwn: data.is_own, version });
}
