import { median } from '@bv/measure';
import { type Pool, transaction } from '@bv/postgres';
import { metricOf } from '@bv/testkit/bench';
import pg from 'pg';
import { ingestUnits } from '../src/commands/ingest-units.ts';
import { copyUnits } from './copy.ts';
import { type BrandLoad, brandIdOf, dayOf, unitsOf } from './generate.ts';
import { batchSize } from './load.ts';
import { getPage, readPlain } from './reads.ts';

/** What the measurements read: the service, its database, and the two brands with the long walk and the many sources. */
export type Bench = {
  base: string;
  monitoring: string;
  databaseUrl: string;
  pool: Pool;
  today: number;
  rounds: number;
};
export type Compared = { own: number; base: number };
type Walk = { deepest: string; memoryRatio: number };

export const pageLimit = 1_000;
const say = (line: string): boolean => process.stderr.write(`${line}\n`);
const walkWindow = (today: number) => ({ from: dayOf(today, 360), to: dayOf(today, 0) });

/** Alternates the contenders, the first round for warming up, and gives the medians, in milliseconds. */
async function compare(own: () => Promise<number>, base: () => Promise<number>, times: number) {
  const figures: Compared[] = [];
  for (let round = 0; round <= times; round += 1) figures.push({ own: await own(), base: await base() });
  const counted = figures.slice(1);
  return { own: median(counted.map((one) => one.own)), base: median(counted.map((one) => one.base)) };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function whole(page: Promise<{ rows: number; ms: number }>): Promise<number> {
  const { rows, ms } = await page;
  if (rows !== pageLimit) throw new Error(`a page had ${rows} rows instead of ${pageLimit}`);
  return ms;
}

async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', (error) => say(`plain connection: ${error.message}`));
  await client.connect();
  return client;
}

/** The first page of the walk over HTTP, and its rows by plain `pg`. */
export async function measureMentions(bench: Bench, load: BrandLoad): Promise<Compared> {
  const window = walkWindow(bench.today);
  const path = `brands/${load.brandId}/mentions`;
  const client = await connect(bench.databaseUrl);
  const cost = await compare(
    () => whole(getPage(bench.base, path, { ...window, limit: String(pageLimit) })),
    () => whole(readPlain(client, load.brandId, { ...window, limit: pageLimit })),
    bench.rounds,
  );
  await client.end();
  return cost;
}

/** Reads the whole walk; gives the cursor of its last whole page, and resident memory at its end by that of a fifth. */
export async function walkAll(bench: Bench, { brandId, units: total }: BrandLoad): Promise<Walk> {
  const resident = (): Promise<number> => metricOf(bench.monitoring, 'process_resident_memory_bytes');
  const limit = String(pageLimit);
  let [rows, next, deepest] = [0, null as string | null, ''];
  const memory: number[] = [];
  do {
    const query = next === null ? { ...walkWindow(bench.today), limit } : { cursor: next, limit };
    const page = await getPage(bench.base, `brands/${brandId}/mentions`, query);
    if (page.rows === pageLimit && next !== null) deepest = next;
    rows += page.rows;
    next = page.next;
    if (Math.floor((rows * 10) / total) > memory.length) {
      memory.push(await resident());
      say(`walk: ${rows} of ${total} rows`);
    }
  } while (next !== null);
  if (rows !== total) throw new Error(`the walk gave ${rows} rows of ${total}`);
  return { deepest, memoryRatio: (memory.at(-1) ?? 0) / (memory[1] ?? 0) };
}

/** The page of that cursor, and the first. */
export async function measureDepth(bench: Bench, load: BrandLoad, cursor: string): Promise<Compared> {
  const path = `brands/${load.brandId}/mentions`;
  const limit = String(pageLimit);
  return compare(
    () => whole(getPage(bench.base, path, { limit, cursor })),
    () => whole(getPage(bench.base, path, { limit, ...walkWindow(bench.today) })),
    bench.rounds,
  );
}

/** The first page of sources over 90 days, and one bare count by domain in SQL. */
export async function measureSources(bench: Bench, { brandId }: BrandLoad): Promise<Compared> {
  const range = { from: dayOf(bench.today, 89), to: dayOf(bench.today, 0) };
  const client = await connect(bench.databaseUrl);
  const statement = `select s.domain, count(*) from units u join unit_sources s on s.unit_id = u.id
    where u.brand_id = $1 and u.run_date between $2 and $3 and s.cited group by s.domain order by 2 desc limit 50`;
  const cost = await compare(
    async () => (await getPage(bench.base, `brands/${brandId}/sources`, { ...range, limit: '50' })).ms,
    () => timed(() => client.query(statement, [brandId, range.from, range.to])),
    Math.min(5, bench.rounds),
  );
  await client.end();
  return cost;
}

/** A batch by the service's own ingest, and the same rows by COPY into bare tables; of a brand of its own each time. */
export async function measureIngest(bench: Bench, brand: number): Promise<Compared & { rows: number }> {
  const load = { brandId: brandIdOf(brand), units: 1_000_000, days: 360, sourcesPerUnit: 2 };
  let [round, rows] = [0, 0];
  const batchOf = () =>
    unitsOf(load, brand, { from: round * batchSize, to: (round + 1) * batchSize }, bench.today);
  const cost = await compare(
    () => {
      const batch = batchOf();
      return timed(() => transaction(bench.pool, (tx) => ingestUnits(tx, batch)));
    },
    async () => {
      const batch = batchOf();
      round += 1;
      return timed(async () => (rows = await copyUnits(bench.pool, batch)));
    },
    Math.min(10, bench.rounds),
  );
  return { ...cost, rows };
}
