import { execute, maybeOne, type Queryable, type Transaction } from '@bv/postgres';

/** The change token of a brand; undefined before its first result. */
export async function findBrandChange(db: Queryable, brandId: string): Promise<string | undefined> {
  const row = await maybeOne<{ changed_at: string }>(db, {
    name: 'catalog.find_brand_change',
    text: 'select changed_at from brand_changes where brand_id = $1',
    values: [brandId],
  });
  return row?.changed_at;
}

/** Ignores a version that is not newer than the stored one. */
export async function upsertBrandChange(
  tx: Transaction,
  change: { brand_id: string; changed_at: string },
  version: number,
): Promise<void> {
  await execute(tx, {
    name: 'catalog.upsert_brand_change',
    text: `insert into brand_changes as stored (brand_id, changed_at, version) values ($1, $2, $3)
           on conflict (brand_id) do update set changed_at = excluded.changed_at, version = excluded.version
           where stored.version < excluded.version`,
    values: [change.brand_id, change.changed_at, version],
  });
}
