import { execute as executeText, many as listTextRows, type Queryable, type Transaction } from '@bv/postgres';
import { addRemovedRows, type RemovedRows } from './org-purges.ts';

/** The rows of an owner in one table: of an organisation or of a brand. */
export type PurgedTable = {
  table: string;
  /** Condition that selects the rows; `$1` is the owner. */
  rows: string;
  /** The condition names the partition of the rows. A delete repeats it under its locks. */
  isPartition?: boolean;
  /** Another table deletes the rows; these are only counted. */
  isRemovedWithOthers?: boolean;
  /** Tables whose rows are deleted first in the same transaction. `$2` are the `id` of the rows they belong to. */
  dependents?: readonly { table: string; rows: string }[];
};

/** A table with rows of own brands. */
type BrandTable = Pick<PurgedTable, 'table' | 'dependents'> & {
  /** Column of the own brand. */
  column: string;
  /** Only rows with this condition are deleted. It holds under the lock of brand `$1`. */
  condition?: string;
};

/** How a service deletes the data of an organisation. */
export type PurgePlan = {
  /** Query that has a row while work of the organisation `$1` is in progress. The purge waits. */
  busy?: string;
  /** Deletes what is not in tables, at the start of each run. Returns the number by kind. */
  before?: (orgId: string) => Promise<RemovedRows>;
  /** Tables whose rows belong to brands, which come first. */
  brands?: {
    /** Query of the brands of organisation `$1`, as `id`. */
    list: string;
    /** Query that locks what writers of brand `$1` lock. */
    lock: string;
    tables: readonly BrandTable[];
  };
  /** In this order. Rows by which others are found come last. */
  tables: readonly PurgedTable[];
  /**
   * Statement that clears the row of organisation `$1`. Its id stays, so that no late event creates it again. It runs at
   * each check, so it updates only rows that are not clear.
   */
  clear?: string;
};

/** Messages that contain the id of the organisation. */
export const purgedDeadLetterEvents: PurgedTable = {
  table: 'dead_letter_events',
  rows: 'envelope_ids(envelope) @> array[$1::uuid]',
};

/** Responses to writes under the organisation, which `processOnce` of libs/http records. */
export const purgedOperations: PurgedTable = { table: 'processed_operations', rows: 'org_id = $1' };

export const toPurgedTables = ({ brands }: PurgePlan): PurgedTable[] =>
  (brands?.tables ?? []).map(({ column, condition, ...table }) => ({
    ...table,
    rows: `${column} = $1${condition === undefined ? '' : ` and ${condition}`}`,
    isPartition: true,
  }));

/** The version of a row. A later row in the same place has another `xmin`. */
export type PurgedRow = { ctid: string; xmin: string; id: string };

export function listPurgedRows(
  db: Queryable,
  { table, rows, dependents }: PurgedTable,
  { owner, limit }: { owner: string; limit: number },
): Promise<PurgedRow[]> {
  const id = dependents === undefined ? `''` : 'id::text';
  return listTextRows<PurgedRow>(db, {
    name: 'events.list_purged_rows',
    text: `select ctid::text as ctid, xmin::text as xmin, ${id} as id from ${table} where ${rows} limit $2`,
    values: [owner, limit],
    prepare: false,
  });
}

/**
 * Deletes the listed rows that are unchanged and not locked by another transaction, and adds them to the counts of the
 * purge. Returns their number.
 */
export async function deletePurgedRows(
  tx: Transaction,
  { table, rows, isPartition = false, dependents = [] }: PurgedTable,
  { orgId, owner, listed }: { orgId: string; owner: string; listed: readonly PurgedRow[] },
): Promise<number> {
  const inPartition = isPartition ? rows : 'true';
  const remove = (from: string, where: string, values: unknown[]): Promise<number> =>
    executeText(tx, {
      name: 'events.delete_purged_rows',
      // Postgres rejects a parameter that nothing uses.
      text: `delete from ${from} where $1::uuid is not null and ${where}`,
      values: [owner, ...values],
      prepare: false,
    });
  const removed: RemovedRows = {};
  const ids = listed.map(({ id }) => id);
  for (const each of dependents) removed[each.table] = await remove(each.table, each.rows, [ids]);
  const count = await remove(
    table,
    `${inPartition} and ctid = any (array(
       select ctid from ${table} where ${inPartition} and ctid = any ($2::tid[]) and xmin::text = any ($3::text[])
       for update skip locked))`,
    [listed.map(({ ctid }) => ctid), listed.map(({ xmin }) => xmin)],
  );
  await addRemovedRows(tx, orgId, { ...removed, [table]: count });
  return count;
}

/** Runs the text of a plan for an owner. Returns the number of rows. */
export const runPlanText = (
  db: Queryable,
  step: 'busy' | 'clear' | 'lock',
  { text, owner }: { text: string; owner: string },
): Promise<number> =>
  executeText(db, { name: `events.purge_${step}`, text, values: [owner], prepare: false });

export async function listPurgedBrands(
  db: Queryable,
  { brands }: PurgePlan,
  orgId: string,
): Promise<string[]> {
  if (brands === undefined) return [];
  const query = { name: 'events.list_purged_brands', text: brands.list, values: [orgId] };
  return (await listTextRows<{ id: string }>(db, query)).map(({ id }) => id);
}

/** Keeps the report fast. */
const maxCountedRows = 100_000;

/** Counts the rows of an organisation by table, of each at most 100,000. */
export async function countPurgedRows(db: Queryable, plan: PurgePlan, orgId: string): Promise<RemovedRows> {
  const { list, tables: ofBrands } = plan.brands ?? { list: '', tables: [] };
  const tables = [
    ...ofBrands.map(({ table, column }) => ({ table, rows: `${column} in (${list})` })),
    ...plan.tables,
  ];
  const counts = tables.map(
    ({ table, rows }) =>
      `select '${table}' as "table", count(*) as rows
       from (select 1 from ${table} where ${rows} limit ${maxCountedRows}) counted`,
  );
  const text = counts.join(' union all ');
  const query = { name: 'events.count_purged_rows', text, values: [orgId], prepare: false as const };
  const counted = await listTextRows<{ table: string; rows: number }>(db, query);
  return Object.fromEntries(counted.map(({ table, rows }) => [table, rows]));
}
