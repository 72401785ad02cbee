import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '@bv/local-stack';
import type { Pool } from 'pg';

export type StorageProbe = {
  what: string;
  /** A `schema.table`, optionally with a condition. Each load must add `count` of these rows. */
  counted: string;
  /** Undefined when the product decides the number. */
  count?: number;
  /** Counted rows per record. Default: 1. */
  rowsEach?: number;
  /** The `schema.table`s whose growth, indexes included, is divided by the number of records. */
  tables: RegExp;
  keptFor: string;
};

export type StorageSize = { what: string; bytes: number; parts: string; keptFor: string };

/** Retention of the outbox and inbox of every service. */
export const outboxKept = '7 days after it was sent';
export const inboxKept = '14 days';

export const schemas = ['gateway', 'catalog', 'results', 'scans', 'webhooks'];
/** Tables whose rows are updated soon after creation. Only after VACUUM FULL do two measurements agree. */
const rewritten = [
  'scans.scan_units',
  'scans.scan_jobs',
  'scans.brands',
  'scans.orgs',
  'results.brands',
  'results.scans',
  'webhooks.orgs',
  'webhooks.brands',
  'gateway.org_access',
];
const maxWaitMs = 120_000;
const vacuumEveryMs = 1_000;

/** Creates `count` records. It runs twice, and only the second load is measured. */
export type Load = (round: 0 | 1) => Promise<void>;

/**
 * Bytes of each record that a load creates: the growth of its tables divided by their number. A first load of the same
 * size makes free space in pages equal before and after. Throws when the rows do not appear within two minutes, or when
 * there are more.
 */
export async function measureStorage(
  sql: Pool,
  probes: readonly StorageProbe[],
  load: Load,
): Promise<StorageSize[]> {
  const empty = await readTableSizes(sql, probes);
  await loadAll(sql, probes, { load: () => load(0), rows: empty.rows });
  const before = await readTableSizes(sql, probes);
  probes.forEach((probe, index) => checkRows(probe, before.rows[index], empty.rows[index]));
  await loadAll(sql, probes, { load: () => load(1), rows: before.rows });
  const after = await readTableSizes(sql, probes);
  return probes.map((probe, index) => {
    const rows = checkRows(probe, after.rows[index], before.rows[index]);
    return toStorageSize(probe, rows, { bytes: after.bytes, bytesBefore: before.bytes });
  });
}

type TableSizes = { rows: number[]; bytes: ReadonlyMap<string, number> };

async function readTableSizes(sql: Pool, probes: readonly StorageProbe[]): Promise<TableSizes> {
  await vacuum(sql, await listTables(sql));
  await sql.query(`vacuum full analyze ${rewritten.join(', ')}`);
  return { rows: await countAll(sql, probes), bytes: await readTableBytes(sql) };
}

type Loading = { load: () => Promise<void>; rows: readonly number[] };

async function loadAll(sql: Pool, probes: readonly StorageProbe[], { load, rows }: Loading): Promise<void> {
  const tables = await listTables(sql);
  let loaded = false;
  // Vacuums during the load, as autovacuum does in a large table.
  const vacuuming = (async () => {
    while (!loaded) {
      await vacuum(sql, tables);
      await sleep(vacuumEveryMs);
    }
  })();
  const loading = async (): Promise<void> => {
    try {
      await load();
      await waitForRows(sql, probes, rows);
      await waitForRelay(sql);
    } finally {
      loaded = true;
    }
  };
  await Promise.all([loading(), vacuuming]);
}

function checkRows({ what, counted, count, rowsEach = 1 }: StorageProbe, after = 0, before = 0): number {
  const rows = after - before;
  if (rows === 0 || (count !== undefined && rows !== count * rowsEach)) {
    throw new Error(`${what}: ${rows} rows in ${counted}, ${count ?? 'some'} x ${rowsEach} were loaded`);
  }
  return rows;
}

type Growth = { bytes: ReadonlyMap<string, number>; bytesBefore: ReadonlyMap<string, number> };

function toStorageSize(probe: StorageProbe, rows: number, { bytes, bytesBefore }: Growth): StorageSize {
  const { what, count, rowsEach = 1, tables, keptFor } = probe;
  const parts = [...bytes]
    .filter(([name]) => tables.test(name))
    .map(([name, size]) => ({ name, each: ((size - (bytesBefore.get(name) ?? 0)) * rowsEach) / rows }))
    .sort((a, b) => b.each - a.each);
  const bytesEach = parts.reduce((sum, { each }) => sum + each, 0);
  if (!(bytesEach > 0)) throw new Error(`${what}: its tables did not grow`);
  return {
    what: count === undefined ? `${what} (${rows})` : what,
    bytes: bytesEach,
    parts: parts
      .filter(({ each }) => Math.round(each) > 0)
      .map(
        ({ name, each }) =>
          `${name.split('.')[1]} ${each.toFixed(0)}${rewritten.includes(name) ? ' packed' : ''}`,
      )
      .join(', '),
    keptFor,
  };
}

async function waitForRows(
  sql: Pool,
  probes: readonly StorageProbe[],
  before: readonly number[],
): Promise<void> {
  const deadline = performance.now() + maxWaitMs;
  for (;;) {
    const rows = await countAll(sql, probes);
    const missing = probes.filter(({ count = 0, rowsEach = 1 }, index) => {
      return (rows[index] ?? 0) - (before[index] ?? 0) < count * rowsEach;
    });
    if (missing.length === 0) return;
    if (performance.now() > deadline) {
      throw new Error(`missing after two minutes: ${missing.map(({ counted }) => counted).join('; ')}`);
    }
    await sleep(250);
  }
}

/** Waits until all events of all services are in the stream. Throws after 30 seconds. */
export async function waitForRelay(sql: Pool): Promise<void> {
  const unsent = schemas.map((schema) => `select from ${schema}.outbox where sent_at is null`);
  const allSent = async (): Promise<boolean> => {
    const { rowCount } = await sql.query(unsent.join(' union all '));
    return rowCount === 0;
  };
  if (!(await waitUntil(allSent, { timeoutMs: 30_000 }))) throw new Error('events are not sent');
}

async function countAll(sql: Pool, probes: readonly StorageProbe[]): Promise<number[]> {
  const counts = probes.map(({ counted }) => `(select count(*)::int from ${counted})`);
  const { rows } = await sql.query<{ counts: number[] }>(`select array[${counts.join(', ')}] as counts`);
  return rows[0]?.counts ?? [];
}

const tablesOfServices = `from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in (${schemas.map((name) => `'${name}'`).join(', ')}) and c.relkind = 'r'`;

async function listTables(sql: Pool): Promise<string[]> {
  const { rows } = await sql.query<{ name: string }>(
    `select n.nspname || '.' || c.relname as name ${tablesOfServices}`,
  );
  return rows.map(({ name }) => name);
}

async function readTableBytes(sql: Pool): Promise<Map<string, number>> {
  const { rows } = await sql.query<{ name: string; bytes: string }>(
    `select n.nspname || '.' || c.relname as name, pg_total_relation_size(c.oid) as bytes ${tablesOfServices}`,
  );
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
}

async function vacuum(sql: Pool, tables: readonly string[]): Promise<void> {
  await sql.query(`vacuum analyze ${tables.join(', ')}`);
}

/** Runs `work` for all items with limited concurrency. Rejects with the first failure. */
export async function inParallel<T, R>(
  items: readonly T[],
  concurrency: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const waiting = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of waiting) results[index] = await work(item, index);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return results;
}

/** The half of the items for a load. */
export function halfOf<T>(items: readonly T[], round: 0 | 1): readonly T[] {
  const half = items.length / 2;
  return items.slice(round * half, (round + 1) * half);
}
