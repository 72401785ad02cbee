import { execute, many, maybeOne, one, type Queryable, type Transaction } from '@bv/postgres';

/** How far the tables of an installation are partitioned. A new installation is switched from the beginning. */
export type Partitioning = {
  started_at: string | null;
  copied_at: string | null;
  switched_at: string | null;
};

export function findPartitioning(db: Queryable): Promise<Partitioning> {
  return one<Partitioning>(db, {
    name: 'results.find_partitioning',
    text: 'select started_at, copied_at, switched_at from partitioning',
    values: [],
  });
}

/** The same, with a lock until the transaction ends: of all replicas, one at a time takes a step. */
export function lockPartitioning(tx: Transaction): Promise<Partitioning> {
  return one<Partitioning>(tx, {
    name: 'results.lock_partitioning',
    text: 'select started_at, copied_at, switched_at from partitioning for update',
    values: [],
  });
}

/** The first table without a partitioned copy. */
export async function findUncreatedTable(db: Queryable): Promise<string | undefined> {
  const row = await maybeOne<{ name: string }>(db, {
    name: 'results.find_uncreated_table',
    text: `select name from partitioned_tables() where to_regclass('partitioned_' || name) is null
           order by place limit 1`,
    values: [],
  });
  return row?.name;
}

export function createPartitionedTable(tx: Transaction, name: string): Promise<number> {
  return execute(tx, {
    name: 'results.create_partitioned_table',
    text: 'select create_partitioned_table($1, partitions) from partitioning',
    values: [name],
  });
}

/** From the commit on, triggers repeat every change in the copies. */
export function startPartitionCopies(tx: Transaction): Promise<number> {
  return execute(tx, {
    name: 'results.start_partition_copies',
    text: 'select start_partition_copies()',
    values: [],
  });
}

export async function listPartitions(db: Queryable): Promise<string[]> {
  const rows = await many<{ partition: string }>(db, {
    name: 'results.list_partitions',
    text: `select i.inhrelid::regclass::text as partition
           from partitioned_tables() t join pg_inherits i on i.inhparent = to_regclass('partitioned_' || t.name)
           order by t.place, i.inhrelid`,
    values: [],
  });
  return rows.map(({ partition }) => partition);
}

/** Collects the statistics that the planner needs. `partition` is a name from `listPartitions`. */
export function analyzePartition(db: Queryable, partition: string): Promise<number> {
  return execute(db, {
    name: 'results.analyze_partition',
    text: 'select analyze_partition($1::regclass)',
    values: [partition],
  });
}

/** Records that the rows of every brand are copied, with the id of this transaction. */
export function updatePartitionsCopied(tx: Transaction): Promise<number> {
  return execute(tx, {
    name: 'results.end_partition_copies',
    text: 'update partitioning set copied_at = clock_timestamp(), copied_xid = pg_current_xact_id()',
    values: [],
  });
}

/** Whether a transaction of the service still reads a snapshot that may lack copied rows. */
export async function hasOldSnapshot(db: Queryable): Promise<boolean> {
  const row = await one<{ has: boolean }>(db, {
    name: 'results.has_old_snapshot',
    text: `select exists (
             select from pg_stat_activity a, partitioning p
             where a.datname = current_database() and a.usename = current_user and a.pid <> pg_backend_pid()
               and age(a.backend_xmin) >= age(p.copied_xid::xid)) as has`,
    values: [],
  });
  return row.has;
}

export function switchToPartitionedTables(tx: Transaction): Promise<number> {
  return execute(tx, {
    name: 'results.switch_to_partitioned_tables',
    text: 'select switch_to_partitioned_tables()',
    values: [],
  });
}

/** Ends the wait for a lock of a table early: meanwhile every other statement on the table waits too. */
export function setLockTimeout(tx: Transaction, timeoutMs: number): Promise<number> {
  return execute(tx, {
    name: 'results.set_lock_timeout',
    text: `select set_config('lock_timeout', $1, true)`,
    values: [String(timeoutMs)],
  });
}
