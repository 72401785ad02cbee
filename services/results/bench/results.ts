import { setTimeout as delay } from 'node:timers/promises';
import {
  forceOption,
  createSampler,
  otherLoadText,
  growthText,
  maxOtherShare,
  readBenchOptions,
  watchMachine,
} from '@bv/measure';
import { createPool, type Pool } from '@bv/postgres';
import { createLogger, createMetrics } from '@bv/telemetry';
import { createDatabase, startNats } from '@bv/testkit';
import { startDataStores, stopChildren, waitForDisk } from '@bv/testkit/bench';
import { type BrandLoad, orgId, planLoads, toCompetitorIds } from './generate.ts';
import { loadUnits } from './load.ts';
import {
  type Bench,
  type Compared,
  measureDepth,
  measureMentions,
  measureSources,
  pageLimit,
  readAllPages,
} from './measure.ts';
import { runBench } from './run-bench.ts';
import { startService } from './service.ts';
import { measureSlices, prepareSlices } from './slices.ts';

/**
 * Measures the hot reads of the service, each compared with a baseline in the same run. The service's ingest loads the
 * units. Each figure is measured at 1 %, 10 % and 100 % of the units; each size adds brands to the same tables.
 * Postgres waits for the disk, as in production. Rounds that other load disturbed are repeated. A figure is printed when
 * it is measured. Fails if a response is wrong, or if too many rounds are disturbed.
 */
const options = readBenchOptions('results', {
  units: {
    default: '10000000',
    description: 'total units; also measured at 1 % and 10 % of them. A tenth of the default takes minutes',
  },
  brands: { default: '200', description: 'brands that each size adds' },
  rounds: {
    default: '30',
    description: 'rounds of each comparison; ratios are medians of the ratios of rounds',
  },
  force: forceOption,
});
const units = Number(options.units);
const rounds = Number(options.rounds);
const brands = Number(options.brands);
const today = Date.parse(`${new Date().toISOString().slice(0, 10)}T00:00:00Z`);
const sizes = [units / 100, units / 10, units].map(Math.floor);
/** Each size has its own range of brand numbers. */
const brandNumbersPerSize = 10_000;
const report = (line: string): boolean => process.stderr.write(`${line}\n`);
const print = (line: string): boolean => process.stdout.write(`${line}\n`);
const unsentEvents = 'select count(*)::int as left from outbox where sent_at is null';

type Figures = {
  size: number;
  citations: number;
  mentions: Compared;
  depth: Compared;
  sources: Compared;
};

const sampler = createSampler({ maxOtherShare, maxRetries: 200, force: options.force, report });
const toText = ({ ratio }: Compared): string => ratio.toFixed(2);

/** `from` is the number of the first brand. */
async function insertBrands(pool: Pool, loads: readonly BrandLoad[], from: number): Promise<void> {
  for (const [index, { brandId }] of loads.entries()) {
    const competitors = toCompetitorIds(from + index);
    for (const id of [...competitors, brandId]) {
      await pool.query(
        `insert into brands (id, org_id, name, domain, is_own, geography, aliases, match, competitor_ids, version)
         values ($1, $2, 'Brand', 'brand.example.com', $3, 'global', '{}', '{}', $4, 1)`,
        [id, orgId, id === brandId, id === brandId ? competitors : []],
      );
    }
  }
}

async function waitForOutbox(pool: Pool): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ left: number }>(unsentEvents);
    const left = rows[0]?.left ?? 0;
    if (left === 0) return;
    report(`outbox: ${left} events to send`);
    await delay(2_000);
  }
}

/** Loads the units once, so a disturbed rate is not printed. */
async function loadSize(bench: Bench, loads: readonly BrandLoad[], from: number): Promise<string> {
  const stopWatching = watchMachine();
  const perSecond = await loadUnits(bench.pool, loads, bench.today, from);
  const isDisturbed = stopWatching().others > maxOtherShare && !options.force;
  return isDisturbed ? 'a disturbed rate' : `${perSecond.toFixed(0)} per second`;
}

/** Adds brands with the units that are missing to this size, then measures. */
async function measureAt(bench: Bench, index: number): Promise<Figures> {
  const [size = 0, before = 0] = [sizes[index], sizes[index - 1]];
  const from = index * brandNumbersPerSize;
  const loads = planLoads(size - before, brands, from);
  const [longHistory, cited, sliced] = loads;
  if (longHistory === undefined || cited === undefined || sliced === undefined) {
    throw new Error('--brands must be at least 4');
  }
  await insertBrands(bench.pool, loads, from);
  const loaded = await loadSize(bench, loads, from);
  await waitForOutbox(bench.pool);
  await bench.pool.query('vacuum analyze');
  print(`${size} units, loaded at ${loaded}:`);
  const mentions = await measureMentions(bench, longHistory);
  print(`  mentions, ${pageLimit} rows: over HTTP ${toText(mentions)} times plain pg without HTTP`);
  const { deepest, memoryRatio } = await readAllPages(bench, longHistory);
  print(
    `  memory while reading all pages of ${longHistory.units} rows: ${memoryRatio.toFixed(2)} times at the end, compared with a fifth of the rows`,
  );
  const depth = await measureDepth(bench, longHistory, deepest);
  print(`  deepest full page: ${toText(depth)} times the first page`);
  const sources = await measureSources(bench, cited);
  const citations = cited.units * cited.sourcesPerUnit;
  print(
    `  sources over 90 days, ${citations} citations: ${toText(sources)} times a plain SQL count by domain (${sources.own.toFixed(0)} ms)`,
  );
  await prepareSlices(bench.pool, sliced, { brand: from + 2, today: bench.today });
  const slices = await measureSlices(bench, sliced);
  print(`  slices of ${sliced.units} units, as ratios of a plain SQL count by key: ${slices.join(', ')}`);
  return { size, citations, mentions, depth, sources };
}

/** Prints the growth of each cost as the factor for ten times the units. */
function printGrowth(all: readonly Figures[]): void {
  const by = (name: string, size: 'size' | 'citations', cost: 'mentions' | 'depth' | 'sources'): boolean =>
    print(`  ${name}: ${growthText(all.map((each) => ({ size: each[size], cost: each[cost].own })))}`);
  print(`Growth over units, and over citations (per decade: 1 is constant, 10 is linear):`);
  by('first page', 'size', 'mentions');
  by('deepest page', 'size', 'depth');
  by('sources over citations', 'citations', 'sources');
}

async function printStorageSize(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string; bytes: number }>(
    `select relname as name, pg_total_relation_size(oid)::float8 as bytes from pg_class
     where relnamespace = current_schema::regnamespace and relkind = 'r'
     order by 2 desc limit 6`,
  );
  const shares = rows.map(({ name, bytes }) => `${name} ${(bytes / units).toFixed(0)}`).join(', ');
  print(`Bytes per unit, with indexes: ${shares}`);
}

async function run(): Promise<void> {
  await startDataStores();
  const database = await createDatabase('results');
  await waitForDisk(database.adminUrl);
  const log = createLogger({ service: 'bench', level: 'warn' });
  const common = { applicationName: 'bench', log, metrics: createMetrics('bench') };
  const pool = createPool({ ...common, connectionString: database.url, statementTimeoutMs: 600_000 });
  const nats = await startNats();
  const service = await startService(database.url, nats.url);
  const bench = { ...service, databaseUrl: database.url, pool, today, rounds, sampler };
  print(`Medians of the ratios of up to ${rounds} alternating rounds; each size adds ${brands} brands:`);
  const measured: Figures[] = [];
  for (const index of sizes.keys()) measured.push(await measureAt(bench, index));
  printGrowth(measured);
  await printStorageSize(pool);
  await pool.end();
  await stopChildren({ keepDataStores: true });
  await nats.stop();
  await database.drop();
  print(otherLoadText(sampler.summary()));
}

await runBench(run);
