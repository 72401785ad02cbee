import { measurePairs, median, medianRatio, type Sampler } from '@bv/measure';
import type { Pool } from '@bv/postgres';
import { readMetric } from '@bv/testkit/bench';
import pg from 'pg';
import { type BrandLoad, toDay } from './generate.ts';
import { getPage, readPlain } from './reads.ts';

/** Addresses of the service and its database, and the options of the run. */
export type Bench = {
  base: string;
  monitoring: string;
  databaseUrl: string;
  pool: Pool;
  today: number;
  rounds: number;
  sampler: Sampler;
};
/** Medians of both costs in milliseconds, and the median of the ratios of the rounds. */
export type Compared = { own: number; base: number; ratio: number };
type FullRead = { deepest: string; memoryRatio: number };

export const pageLimit = 1_000;
const report = (line: string): boolean => process.stderr.write(`${line}\n`);
const fullWindow = (today: number) => ({ from: toDay(today, 360), to: toDay(today, 0) });

type Comparison = {
  name: string;
  rounds: number;
  own: () => Promise<number>;
  base: () => Promise<number>;
};

/** Alternates the service and its baseline. */
async function compare({ sampler }: Bench, comparison: Comparison): Promise<Compared> {
  const pairs = await measurePairs({ sampler, ...comparison });
  return {
    own: median(pairs.map(({ own }) => own)),
    base: median(pairs.map(({ base }) => base)),
    ratio: medianRatio(pairs),
  };
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function fullPageMs(page: Promise<{ rows: number; ms: number }>): Promise<number> {
  const { rows, ms } = await page;
  if (rows !== pageLimit) throw new Error(`a page had ${rows} rows instead of ${pageLimit}`);
  return ms;
}

export async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', (error) => report(`plain connection: ${error.message}`));
  await client.connect();
  return client;
}

/** The first page of mentions over HTTP, and the same rows with plain `pg`. */
export async function measureMentions(bench: Bench, load: BrandLoad): Promise<Compared> {
  const window = fullWindow(bench.today);
  const path = `brands/${load.brandId}/mentions`;
  const client = await connect(bench.databaseUrl);
  const cost = await compare(bench, {
    name: 'mentions',
    rounds: bench.rounds,
    own: () => fullPageMs(getPage(bench.base, path, { ...window, limit: String(pageLimit) })),
    base: () => fullPageMs(readPlain(client, load.brandId, { ...window, limit: pageLimit })),
  });
  await client.end();
  return cost;
}

/**
 * Reads all pages of mentions. Returns the cursor of the last full page, and the resident memory at the end divided by
 * the resident memory after a fifth of the rows.
 */
export async function readAllPages(bench: Bench, { brandId, units: total }: BrandLoad): Promise<FullRead> {
  const resident = (): Promise<number> => readMetric(bench.monitoring, 'process_resident_memory_bytes');
  const limit = String(pageLimit);
  let [rows, next, deepest] = [0, null as string | null, ''];
  const memory: number[] = [];
  do {
    const query = next === null ? { ...fullWindow(bench.today), limit } : { cursor: next, limit };
    const page = await getPage(bench.base, `brands/${brandId}/mentions`, query);
    if (page.rows === pageLimit && next !== null) deepest = next;
    rows += page.rows;
    next = page.next;
    if (Math.floor((rows * 10) / total) > memory.length) {
      memory.push(await resident());
      report(`pagination: ${rows} of ${total} rows`);
    }
  } while (next !== null);
  if (rows !== total) throw new Error(`pagination returned ${rows} of ${total} rows`);
  return { deepest, memoryRatio: (memory.at(-1) ?? 0) / (memory[1] ?? 0) };
}

/** The page of the cursor, and the first page. */
export async function measureDepth(bench: Bench, load: BrandLoad, cursor: string): Promise<Compared> {
  const path = `brands/${load.brandId}/mentions`;
  const limit = String(pageLimit);
  return compare(bench, {
    name: 'deepest page',
    rounds: bench.rounds,
    own: () => fullPageMs(getPage(bench.base, path, { limit, cursor })),
    base: () => fullPageMs(getPage(bench.base, path, { limit, ...fullWindow(bench.today) })),
  });
}

/** The first page of sources over 90 days, and a plain SQL count by domain. */
export async function measureSources(bench: Bench, { brandId }: BrandLoad): Promise<Compared> {
  const range = { from: toDay(bench.today, 89), to: toDay(bench.today, 0) };
  const client = await connect(bench.databaseUrl);
  const statement = `select s.domain, count(*) from units u join unit_sources s on s.own_brand_id = u.brand_id and s.unit_id = u.id
    where u.brand_id = $1 and u.run_date between $2 and $3 and s.cited group by s.domain order by 2 desc limit 50`;
  const cost = await compare(bench, {
    name: 'sources',
    rounds: Math.min(5, bench.rounds),
    own: async () => (await getPage(bench.base, `brands/${brandId}/sources`, { ...range, limit: '50' })).ms,
    base: () => timed(() => client.query(statement, [brandId, range.from, range.to])),
  });
  await client.end();
  return cost;
}
