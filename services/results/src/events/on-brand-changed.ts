import type { brandChanged, DataOfEvent, EnvelopeOf } from '@bv/events';
import type { Queryable, Transaction } from '@bv/postgres';
import { upsertBrand } from '../db/brands.ts';

/** Stores what this service needs of a brand's state; an older version changes nothing. */
export async function applyBrand(
  db: Queryable,
  version: number,
  brand: DataOfEvent<typeof brandChanged>,
): Promise<void> {
  const { competitors, aliases: _a, created_at: _c, updated_at: _u, ...rest } = brand;
  await upsertBrand(db, { ...rest, competitor_ids: competitors.map(({ id }) => id), version });
}

export function onBrandChanged(tx: Transaction, envelope: EnvelopeOf<typeof brandChanged>): Promise<void> {
  return applyBrand(tx, envelope.version, envelope.data);
}
