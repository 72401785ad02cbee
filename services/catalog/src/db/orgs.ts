import { many, maybeOne, one, type Queryable, type Transaction } from '@bv/postgres';
import type { Overrides, Retention, Tier } from '@bv/contract';
import type { Limits } from '../domain/plan.ts';

export type OrgRow = {
  id: string;
  name: string;
  tier: string;
  overrides: Overrides;
  retention: Retention;
  /** Limits of the tier, before overrides. */
  tier_limits: Limits;
  version: number;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
  purge_requested_at: string | null;
};

/** What the operator sets. */
type OrgSettings = Pick<OrgRow, 'name' | 'tier' | 'overrides' | 'retention'>;

/**
 * A subquery reads the tier instead of a join. After waiting for a row lock, Postgres re-evaluates a join with the
 * current `orgs` row but the `tiers` row read before. If the tier changed meanwhile, the join would find no row.
 */
const columns = `
  orgs.id, orgs.name, orgs.tier, orgs.overrides, orgs.retention,
  (select to_jsonb(tiers) - 'name' from tiers where tiers.name = orgs.tier) as tier_limits,
  orgs.version, orgs.created_at, orgs.updated_at, orgs.deleted_at, orgs.purge_requested_at`;

/** An organisation that is not deleted. */
export function findOrg(db: Queryable, orgId: string): Promise<OrgRow | undefined> {
  return maybeOne(db, {
    name: 'catalog.find_org',
    text: `select ${columns} from orgs where orgs.id = $1 and orgs.deleted_at is null`,
    values: [orgId],
  });
}

/** Includes deleted organisations, because events and RPC replies carry `deleted_at`. */
export function findOrgIncludingDeleted(db: Queryable, orgId: string): Promise<OrgRow | undefined> {
  return maybeOne(db, {
    name: 'catalog.find_org_even_deleted',
    text: `select ${columns} from orgs where orgs.id = $1`,
    values: [orgId],
  });
}

/** First row lock of every write in an organisation. While it is held, no usage of the plan changes. */
export function lockOrg(tx: Transaction, orgId: string): Promise<OrgRow | undefined> {
  return maybeOne(tx, {
    name: 'catalog.lock_org',
    text: `select ${columns} from orgs
           where orgs.id = $1 and orgs.deleted_at is null
           for no key update`,
    values: [orgId],
  });
}

/** Organisations that are not deleted, with an id above `afterId`, in order of id. */
export function listOrgs(db: Queryable, afterId: string, limit: number): Promise<OrgRow[]> {
  return many(db, {
    name: 'catalog.list_orgs',
    text: `select ${columns} from orgs
           where orgs.deleted_at is null and orgs.id > $1
           order by orgs.id limit $2`,
    values: [afterId, limit],
  });
}

export function insertOrg(tx: Transaction, org: OrgSettings): Promise<OrgRow> {
  return one(tx, {
    name: 'catalog.insert_org',
    text: `with orgs as (
             insert into orgs (name, tier, overrides, retention) values ($1, $2, $3, $4) returning *
           )
           select ${columns} from orgs`,
    values: [org.name, org.tier, JSON.stringify(org.overrides), JSON.stringify(org.retention)],
  });
}

export function updateOrg(tx: Transaction, orgId: string, org: OrgSettings): Promise<OrgRow> {
  return one(tx, {
    name: 'catalog.update_org',
    text: `with orgs as (
             update orgs
             set name = $2, tier = $3, overrides = $4, retention = $5, version = version + 1,
               updated_at = clock_timestamp()
             where id = $1 returning *
           )
           select ${columns} from orgs`,
    values: [orgId, org.name, org.tier, JSON.stringify(org.overrides), JSON.stringify(org.retention)],
  });
}

/** Marks the organisation as deleted; its rows are kept for the history. */
export function deleteOrg(tx: Transaction, orgId: string): Promise<OrgRow | undefined> {
  return maybeOne(tx, {
    name: 'catalog.delete_org',
    text: `with orgs as (
             update orgs
             set deleted_at = clock_timestamp(), version = version + 1, updated_at = clock_timestamp()
             where id = $1 and deleted_at is null returning *
           )
           select ${columns} from orgs`,
    values: [orgId],
  });
}

/** Records the request to delete the data of a deleted organisation; the first one counts. */
export function updateOrgPurge(tx: Transaction, orgId: string): Promise<OrgRow | undefined> {
  return maybeOne(tx, {
    name: 'catalog.update_org_purge',
    text: `with orgs as (
             update orgs set purge_requested_at = clock_timestamp(), version = version + 1
             where id = $1 and deleted_at is not null and purge_requested_at is null returning *
           )
           select ${columns} from orgs`,
    values: [orgId],
  });
}

const tierColumns = `name, api_access, on_demand_scans, prompts, own_brands, countries, competitors_per_brand,
  manual_scans`;

/** Tiers with a name above `afterName`, in order of name. */
export function listTiers(db: Queryable, afterName: string, limit: number): Promise<Tier[]> {
  return many(db, {
    name: 'catalog.list_tiers',
    text: `select ${tierColumns} from tiers where name collate "C" > $1 order by name collate "C" limit $2`,
    values: [afterName, limit],
  });
}

export async function tierExists(db: Queryable, tier: string): Promise<boolean> {
  const row = await maybeOne(db, {
    name: 'catalog.find_tier',
    text: 'select from tiers where name = $1',
    values: [tier],
  });
  return row !== undefined;
}
