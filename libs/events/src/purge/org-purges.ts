import {
  execute,
  many,
  maybeOne,
  type Pool,
  type Queryable,
  transaction,
  type Transaction,
} from '@bv/postgres';
import type { EventData } from '../define-event.ts';
import type { orgChanged } from '../schemas/catalog.ts';

/** Rows that a service has deleted of an organisation, by table. */
export type RemovedRows = Record<string, number>;

type OrgPurge = { completed_at: string | null; removed: RemovedRows };

/** Records the purge of an organisation. The record stays, so that late data is dropped. */
export async function recordPurge(tx: Transaction, org: EventData<typeof orgChanged>): Promise<void> {
  const { id, deleted_at: deletedAt, purge_requested_at: requestedAt } = org;
  if (deletedAt === null || requestedAt === null) return;
  await execute(tx, {
    name: 'events.insert_org_purge',
    text: 'insert into org_purges (org_id, requested_at) values ($1, $2) on conflict (org_id) do nothing',
    values: [id, requestedAt],
  });
}

const advisoryLock = `hashtextextended('purge:' || org_id, 0)`;

/**
 * Drops the items of organisations with a purge. A purge of the others starts after this transaction, so it finds what
 * the transaction writes. The record is read by a later statement than the lock, because it needs a later snapshot.
 */
export async function dropPurged<T>(
  tx: Transaction,
  items: readonly T[],
  getOrgId: (item: T) => string | undefined,
): Promise<T[]> {
  const ids = [...new Set(items.map(getOrgId))].filter((id) => id !== undefined);
  if (ids.length === 0) return [...items];
  await execute(tx, {
    name: 'events.lock_orgs_for_writes',
    text: `select pg_advisory_xact_lock_shared(${advisoryLock}) from unnest($1::text[]) org_id`,
    values: [ids],
  });
  const purged = await many<{ org_id: string }>(tx, {
    name: 'events.list_purged_orgs',
    text: 'select org_id from org_purges where org_id = any($1::uuid[])',
    values: [ids],
  });
  const purgedIds = new Set<string | undefined>(purged.map(({ org_id }) => org_id));
  return items.filter((item) => !purgedIds.has(getOrgId(item)));
}

export async function isPurged(tx: Transaction, orgId: string): Promise<boolean> {
  return (await dropPurged(tx, [orgId], (id) => id)).length === 0;
}

/** Runs `fn` in a transaction, unless the organisation has a purge. */
export function unlessPurged(
  pool: Pool,
  orgId: string,
  fn: (tx: Transaction) => Promise<unknown>,
): Promise<void> {
  return transaction(pool, async (tx) => {
    if (!(await isPurged(tx, orgId))) await fn(tx);
  });
}

/** Waits for the transactions that may have missed the record of the purge. */
export function waitForWriters(pool: Pool, orgId: string): Promise<number> {
  return execute(pool, {
    name: 'events.wait_for_writers',
    text: `select pg_advisory_xact_lock(${advisoryLock}) from unnest(array[$1::text]) org_id`,
    values: [orgId],
  });
}

export function findPurge(db: Queryable, orgId: string): Promise<OrgPurge | undefined> {
  return maybeOne<OrgPurge>(db, {
    name: 'events.find_org_purge',
    text: 'select completed_at, removed from org_purges where org_id = $1',
    values: [orgId],
  });
}

/**
 * Organisations whose data is not deleted yet or must be checked again, by id. A request that began before the purge can
 * add rows.
 */
export async function listDuePurges(
  db: Queryable,
  { after, limit }: { after: string | null; limit: number },
): Promise<string[]> {
  const rows = await many<{ org_id: string }>(db, {
    name: 'events.list_due_org_purges',
    text: `select org_id from org_purges
           where ($1::uuid is null or org_id > $1) and (checked_at is null or (
             checked_at < requested_at + interval '30 days'
             and clock_timestamp() - checked_at
               > least(interval '1 hour', greatest(interval '5 s', checked_at - requested_at))))
           order by org_id limit $2`,
    values: [after, limit],
  });
  return rows.map((row) => row.org_id);
}

/** Locks the purge of an organisation, so that processes delete one after the other. False: another one holds it. */
export async function lockPurge(tx: Transaction, orgId: string): Promise<boolean> {
  const locked = await execute(tx, {
    name: 'events.lock_org_purge',
    text: 'select from org_purges where org_id = $1 for no key update skip locked',
    values: [orgId],
  });
  return locked > 0;
}

export async function addRemovedRows(tx: Transaction, orgId: string, removed: RemovedRows): Promise<void> {
  if (Object.values(removed).every((rows) => rows === 0)) return;
  await execute(tx, {
    name: 'events.add_removed_rows',
    text: `update org_purges set
             removed = removed || (
               select jsonb_object_agg(key, coalesce((removed ->> key)::bigint, 0) + value::bigint)
               from jsonb_each_text($2::jsonb))
           where org_id = $1`,
    values: [orgId, JSON.stringify(removed)],
  });
}

/** Records that no row is left. */
export function updatePurgeChecked(tx: Transaction, orgId: string): Promise<number> {
  return execute(tx, {
    name: 'events.update_purge_checked',
    text: `update org_purges set checked_at = clock_timestamp(), completed_at = coalesce(completed_at, clock_timestamp())
           where org_id = $1`,
    values: [orgId],
  });
}
