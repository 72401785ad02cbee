import { execute, maybeOne, type Queryable } from '@bv/postgres';

export type BrandRow = { org_id: string; is_own: boolean };

export async function findBrand(db: Queryable, id: string): Promise<BrandRow | undefined> {
  return maybeOne<BrandRow>(db, {
    name: 'webhooks.find_brand',
    text: 'select org_id, is_own from brands where id = $1',
    values: [id],
  });
}

export async function upsertBrand(
  db: Queryable,
  brand: { id: string; orgId: string; isOwn: boolean; version: number },
): Promise<void> {
  await execute(db, {
    name: 'webhooks.upsert_brand',
    text: `insert into brands (id, org_id, is_own, version) values ($1, $2, $3, $4)
      on conflict (id) do update
        set org_id = excluded.org_id, is_own = excluded.is_own, version = excluded.version
      where brands.version < excluded.version`,
    values: [brand.id, brand.orgId, brand.isOwn, brand.version],
  });
}
