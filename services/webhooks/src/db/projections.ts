import { execute, many, maybeOne, type Queryable, type Transaction } from '@bv/postgres';

export type PartnerVersion = { id: string; status: 'active' | 'suspended'; version: number };

export async function upsertPartner(tx: Transaction, partner: PartnerVersion): Promise<void> {
  await execute(tx, {
    name: 'webhooks.upsert_partner',
    text: `insert into partners (id, status, version) values ($1, $2, $3)
      on conflict (id) do update set status = excluded.status, version = excluded.version
      where partners.version < excluded.version`,
    values: [partner.id, partner.status, partner.version],
  });
}

/**
 * Locks the partner while its endpoints are counted and inserted. A partner that calls is active, even when its event
 * has not arrived yet. Every event has a newer version than 0.
 */
export async function lockPartner(tx: Transaction, id: string): Promise<void> {
  await execute(tx, {
    name: 'webhooks.insert_unknown_partner',
    text: `insert into partners (id, status, version) values ($1, 'active', 0) on conflict (id) do nothing`,
    values: [id],
  });
  await execute(tx, {
    name: 'webhooks.lock_partner',
    text: 'select from partners where id = $1 for no key update',
    values: [id],
  });
}

export type LinkVersion = {
  partnerId: string;
  orgId: string;
  externalRef: string | null;
  active: boolean;
  version: number;
};

export async function upsertLink(tx: Transaction, link: LinkVersion): Promise<void> {
  await execute(tx, {
    name: 'webhooks.upsert_link',
    text: `insert into links (partner_id, org_id, external_ref, active, version) values ($1, $2, $3, $4, $5)
      on conflict (partner_id, org_id) do update
        set external_ref = excluded.external_ref, active = excluded.active, version = excluded.version
      where links.version < excluded.version`,
    values: [link.partnerId, link.orgId, link.externalRef, link.active, link.version],
  });
}

/** Returns whether the partner has an active link to the organisation, and the organisation is not deleted. */
export async function isLinked(db: Queryable, partnerId: string, orgId: string): Promise<boolean> {
  const rows = await many(db, {
    name: 'webhooks.find_active_link',
    text: `select from links l
      where l.partner_id = $1 and l.org_id = $2 and l.active
        and not exists (select from orgs o where o.id = l.org_id and o.deleted_at is not null)`,
    values: [partnerId, orgId],
  });
  return rows.length > 0;
}

export async function upsertOrg(
  tx: Transaction,
  org: { id: string; deletedAt: string | null; version: number },
): Promise<void> {
  await execute(tx, {
    name: 'webhooks.upsert_org',
    text: `insert into orgs (id, deleted_at, version) values ($1, $2, $3)
      on conflict (id) do update set deleted_at = excluded.deleted_at, version = excluded.version
      where orgs.version < excluded.version`,
    values: [org.id, org.deletedAt, org.version],
  });
}

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

/**
 * Locks the row of an own brand until the transaction ends, so that a purge does not delete it while rows of the brand are
 * added. Inserts it if its event has not arrived yet. Every event has a newer version than 0.
 */
export async function lockOwnBrand(tx: Transaction, brand: { id: string; orgId: string }): Promise<void> {
  await execute(tx, {
    name: 'webhooks.lock_own_brand',
    text: `with locked as (select from brands where id = $1 for key share)
      insert into brands (id, org_id, is_own, version)
      select $1, $2, true, 0 where not exists (select from locked)
      on conflict (id) do update set version = brands.version`,
    values: [brand.id, brand.orgId],
  });
}
