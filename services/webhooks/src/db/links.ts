import { execute, many, type Queryable, type Transaction } from '@bv/postgres';

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
