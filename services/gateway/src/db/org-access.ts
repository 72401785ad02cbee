import { execute, many, maybeOne } from '@bv/postgres';
import type { Queryable, Transaction } from '@bv/postgres';

export type OrgAccessRow = {
  org_id: string;
  name: string;
  created_at: string;
  deleted: boolean;
};

export type OrgState = {
  id: string;
  name: string;
  tier: string;
  api_access: boolean;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
};

const columns = 'org_id, name, created_at, deleted_at is not null as deleted';

/** Applies only a newer version: events arrive in any order and more than once. */
export async function upsertOrgAccess(db: Queryable, version: number, org: OrgState): Promise<void> {
  await execute(db, {
    name: 'gateway.upsert_org_access',
    text: `insert into org_access as o
             (org_id, name, tier, api_access, version, created_at, updated_at, deleted_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8)
           on conflict (org_id) do update set name = excluded.name, tier = excluded.tier,
             api_access = excluded.api_access, version = excluded.version,
             updated_at = excluded.updated_at, deleted_at = excluded.deleted_at
           where o.version < excluded.version`,
    values: [
      org.id,
      org.name,
      org.tier,
      org.api_access,
      version,
      org.created_at,
      org.updated_at,
      org.deleted_at,
    ],
  });
}

export async function findOrgAccess(db: Queryable, orgId: string): Promise<OrgAccessRow | undefined> {
  return maybeOne(db, {
    name: 'gateway.find_org_access',
    text: `select ${columns} from org_access where org_id = $1`,
    values: [orgId],
  });
}

/** Names of the organisations with these ids, deleted ones too. Unknown ids are omitted. */
export async function listOrgNames(
  db: Queryable,
  ids: readonly string[],
): Promise<{ id: string; name: string }[]> {
  return many(db, {
    name: 'gateway.list_org_names',
    text: 'select org_id as id, name from org_access where org_id = any($1::uuid[])',
    values: [ids],
  });
}

/** Locks the organisation while its keys are counted and added, and while links to it change. */
export async function lockOrgAccess(tx: Transaction, orgId: string): Promise<OrgAccessRow | undefined> {
  return maybeOne(tx, {
    name: 'gateway.lock_org_access',
    text: `select ${columns} from org_access where org_id = $1 for no key update`,
    values: [orgId],
  });
}
