import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '@bv/stack';
import type { Pool } from 'pg';

export type Weight = {
  what: string;
  /** A `schema.table`, with a condition perhaps: each load must add `count` of these rows. */
  counted: string;
  /** Undefined where the product decides how many there are. */
  count?: number;
  /** Rows of what is counted for each thing that is weighed; 1 unless given. */
  rowsEach?: number;
  /** The `schema.table`s whose growth, indexes included, is shared out among the things. */
  tables: RegExp;
  keptFor: string;
};

export type Weighed = { what: string; bytes: number; parts: string; keptFor: string };

/** Of every service's outbox and inbox. */
export const outboxKept = '7 days after it was sent';
export const inboxKept = '14 days';

export const schemas = ['gateway', 'catalog', 'results', 'scans', 'webhooks'];
/** Rows that are written several times over soon after they are made; only packed do two weighings agree. */
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
const appliedWithinMs = 120_000;
const vacuumEveryMs = 1_000;

/** Two equal loads of `count` things each; only the second is weighed. */
export type Load = (round: 0 | 1) => Promise<void>;

/**
 * What each thing takes that a load makes: the growth of its tables divided by how many there are. After a first load
 * of the same size, because free space in pages is then the same before and after. Throws where the rows it was to make
 * are not there within two minutes, or are more.
 */
export async function weigh(sql: Pool, weights: readonly Weight[], load: Load): Promise<Weighed[]> {
  const empty = await readScales(sql, weights);
  await loadAll(sql, weights, { load: () => load(0), rows: empty.rows });
  const before = await readScales(sql, weights);
  weights.forEach((weight, index) => checkRows(weight, before.rows[index], empty.rows[index]));
  await loadAll(sql, weights, { load: () => load(1), rows: before.rows });
  const after = await readScales(sql, weights);
  return weights.map((weight, index) => {
    const rows = checkRows(weight, after.rows[index], before.rows[index]);
    return weighOne(weight, rows, { bytes: after.bytes, bytesBefore: before.bytes });
  });
}

type Scales = { rows: number[]; bytes: ReadonlyMap<string, number> };

async function readScales(sql: Pool, weights: readonly Weight[]): Promise<Scales> {
  await vacuum(sql, await listTables(sql));
  await sql.query(`vacuum full analyze ${rewritten.join(', ')}`);
  return { rows: await countAll(sql, weights), bytes: await bytesOf(sql) };
}

type Loading = { load: () => Promise<void>; rows: readonly number[] };

async function loadAll(sql: Pool, weights: readonly Weight[], { load, rows }: Loading): Promise<void> {
  const tables = await listTables(sql);
  let loaded = false;
  // As in a large table, where space of old versions is used again long before there is much of it.
  const vacuuming = (async () => {
    while (!loaded) {
      await vacuum(sql, tables);
      await sleep(vacuumEveryMs);
    }
  })();
  const loading = async (): Promise<void> => {
    try {
      await load();
      await awaitRows(sql, weights, rows);
      await awaitSent(sql);
    } finally {
      loaded = true;
    }
  };
  await Promise.all([loading(), vacuuming]);
}

function checkRows({ what, counted, count, rowsEach = 1 }: Weight, after = 0, before = 0): number {
  const rows = after - before;
  if (rows === 0 || (count !== undefined && rows !== count * rowsEach)) {
    throw new Error(`${what}: ${rows} rows in ${counted}, ${count ?? 'some'} x ${rowsEach} were loaded`);
  }
  return rows;
}

type Growth = { bytes: ReadonlyMap<string, number>; bytesBefore: ReadonlyMap<string, number> };

function weighOne(weight: Weight, rows: number, { bytes, bytesBefore }: Growth): Weighed {
  const { what, count, rowsEach = 1, tables, keptFor } = weight;
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

async function awaitRows(sql: Pool, weights: readonly Weight[], before: readonly number[]): Promise<void> {
  const deadline = performance.now() + appliedWithinMs;
  for (;;) {
    const rows = await countAll(sql, weights);
    const missing = weights.filter(({ count = 0, rowsEach = 1 }, index) => {
      return (rows[index] ?? 0) - (before[index] ?? 0) < count * rowsEach;
    });
    if (missing.length === 0) return;
    if (performance.now() > deadline) {
      throw new Error(`not there in time: ${missing.map(({ counted }) => counted).join('; ')}`);
    }
    await sleep(250);
  }
}

/** Every event of every service has been carried to the stream. Throws after 30 seconds. */
export async function awaitSent(sql: Pool): Promise<void> {
  const unsent = schemas.map((schema) => `select from ${schema}.outbox where sent_at is null`);
  const allSent = async (): Promise<boolean> => {
    const { rowCount } = await sql.query(unsent.join(' union all '));
    return rowCount === 0;
  };
  if (!(await waitUntil(allSent, { timeoutMs: 30_000 }))) throw new Error('events are not sent');
}

async function countAll(sql: Pool, weights: readonly Weight[]): Promise<number[]> {
  const counts = weights.map(({ counted }) => `(select count(*)::int from ${counted})`);
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

async function bytesOf(sql: Pool): Promise<Map<string, number>> {
  const { rows } = await sql.query<{ name: string; bytes: string }>(
    `select n.nspname || '.' || c.relname as name, pg_total_relation_size(c.oid) as bytes ${tablesOfServices}`,
  );
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
}

async function vacuum(sql: Pool, tables: readonly string[]): Promise<void> {
  await sql.query(`vacuum analyze ${tables.join(', ')}`);
}

/** All the items, so many at the same time; the first failure ends it. */
export async function inParallel<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const waiting = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of waiting) results[index] = await work(item, index);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}

/** Half of the items for each of the two loads. */
export function partOf<T>(items: readonly T[], round: 0 | 1): readonly T[] {
  const half = items.length / 2;
  return items.slice(round * half, (round + 1) * half);
}
