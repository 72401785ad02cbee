import { many, maybeOne, one } from '@bv/postgres';
import type { Queryable, Transaction } from '@bv/postgres';

export type PartnerRow = {
  id: string;
  name: string;
  status: 'active' | 'suspended';
  version: number;
  created_at: string;
  updated_at: string;
};

const columns = 'id, name, status, version, created_at, updated_at';

export async function insertPartner(tx: Transaction, id: string, name: string): Promise<PartnerRow> {
  return one(tx, {
    name: 'gateway.insert_partner',
    text: `insert into partners (id, name) values ($1, $2) returning ${columns}`,
    values: [id, name],
  });
}

export async function findPartner(db: Queryable, id: string): Promise<PartnerRow | undefined> {
  return maybeOne(db, {
    name: 'gateway.find_partner',
    text: `select ${columns} from partners where id = $1`,
    values: [id],
  });
}

export async function listPartners(
  db: Queryable,
  page: { afterId: string | null; limit: number },
): Promise<PartnerRow[]> {
  return many(db, {
    name: 'gateway.list_partners',
    text: `select ${columns} from partners where $1::uuid is null or id > $1 order by id limit $2`,
    values: [page.afterId, page.limit],
  });
}

export type PartnerCounts = { links: number; active_keys: number };

/** Links to organisations that are not deleted, and keys that are neither revoked nor expired. */
export async function countPartnerAccess(db: Queryable, id: string): Promise<PartnerCounts> {
  return one(db, {
    name: 'gateway.count_partner_access',
    text: `select
             (select count(*) from partner_links l join org_access o on o.org_id = l.org_id
              where l.partner_id = $1 and l.active and o.deleted_at is null) as links,
             (select count(*) from api_keys
              where partner_id = $1 and revoked_at is null
                and (expires_at is null or expires_at > now())) as active_keys`,
    values: [id],
  });
}

/** Names of the partners with these ids. Unknown ids are omitted. */
export async function listPartnerNames(
  db: Queryable,
  ids: readonly string[],
): Promise<{ id: string; name: string }[]> {
  return many(db, {
    name: 'gateway.list_partner_names',
    text: 'select id, name from partners where id = any($1::uuid[])',
    values: [ids],
  });
}

export async function updatePartnerStatus(
  tx: Transaction,
  id: string,
  status: PartnerRow['status'],
): Promise<PartnerRow | undefined> {
  return maybeOne(tx, {
    name: 'gateway.update_partner_status',
    text: `update partners set status = $2, version = version + 1, updated_at = now()
           where id = $1 returning ${columns}`,
    values: [id, status],
  });
}
