import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { growthChart, growthText, assertIdleMachine, watchMachine, type Growth } from '@bv/measure';
import { createPool, type Pool } from '@bv/postgres';
import { createLogger, createMetrics } from '@bv/telemetry';
import { createDatabase, freePort, startNats, testCallerSecret } from '@bv/testkit';
import { startChild, startDataStores, stopChildren, waitForDisk } from '@bv/testkit/bench';
import { createBareTables } from './copy.ts';
import { type BrandLoad, orgId, planLoads } from './generate.ts';
import { batchSize, loadUnits } from './load.ts';
import {
  type Bench,
  type Compared,
  measureDepth,
  measureIngest,
  measureMentions,
  measureSources,
  pageLimit,
  walkAll,
} from './measure.ts';

/**
 * What the service's hot reads and its ingest cost, each beside a baseline in the same run, on units loaded by the
 * service's own ingest, at a hundredth, a tenth and the whole of the units: brands of each size are added to the same tables.
 * The database waits for the disk as in earnest. Fails, instead of printing a figure, where an answer was wrong or
 * others used the machine meanwhile.
 */
const { values: options } = parseArgs({
  options: {
    units: { type: 'string', default: '10000000' },
    brands: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '30' },
    plot: { type: 'string', default: '' },
    force: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  process.stdout
    .write(`pnpm bench results [--units 10000000] [--brands 200] [--rounds 30] [--plot <file.svg>] [--force]

  --units   units to load in all, measured at a hundredth and a tenth too; a tenth of the default is done in minutes
  --brands  brands each size adds
  --rounds  rounds of each comparison; the figures are medians
  --plot    writes growth over units as a plot
  --force   figures in spite of a machine that did other things too
`);
  process.exit(0);
}
const units = Number(options.units);
const rounds = Number(options.rounds);
const brands = Number(options.brands);
const today = Date.parse(`${new Date().toISOString().slice(0, 10)}T00:00:00Z`);
const sizes = [units / 100, units / 10, units].map(Math.floor);
/** Numbers of the brands of one size, far from those of the next. */
const numbersOfSize = 10_000;
const say = (line: string): boolean => process.stderr.write(`${line}\n`);
/** Told at the end, when it is known that nothing disturbed it. */
const figures: string[] = [];
const tell = (line: string): number => figures.push(line);
const drained = 'select count(*)::int as left from outbox where sent_at is null';

type Figures = {
  size: number;
  citations: number;
  mentions: Compared;
  depth: Compared;
  sources: Compared;
  ingest: Compared;
};

async function startService(
  databaseUrl: string,
  natsUrl: string,
): Promise<Pick<Bench, 'base' | 'monitoring'>> {
  const [port, monitoringPort] = [await freePort(), await freePort()];
  const env = {
    PORT: String(port),
    MONITORING_PORT: String(monitoringPort),
    DATABASE_URL: databaseUrl,
    NATS_URL: natsUrl,
    CALLER_SECRETS: testCallerSecret,
    CURSOR_KEYS: `1:${Buffer.alloc(32, 7).toString('base64')}`,
    DRAIN_MS: '0',
  };
  await startChild(new URL('../src/main.ts', import.meta.url), { env, line: /"msg":"ready"/ });
  return { base: `http://127.0.0.1:${port}`, monitoring: `http://127.0.0.1:${monitoringPort}` };
}

const ratio = ({ own, base }: Compared): string => (own / base).toFixed(2);

async function insertBrands(pool: Pool, loads: readonly BrandLoad[]): Promise<void> {
  for (const { brandId } of loads) {
    await pool.query(
      `insert into brands (id, org_id, name, domain, is_own, geography, version)
       values ($1, $2, 'Brand', 'brand.example.com', true, 'global', 1)`,
      [brandId, orgId],
    );
  }
}

async function untilDrained(pool: Pool): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ left: number }>(drained);
    const left = rows[0]?.left ?? 0;
    if (left === 0) return;
    say(`outbox: ${left} events to send`);
    await delay(2_000);
  }
}

/** Adds what is missing to this size, as brands of its own, and measures there. */
async function measureAt(bench: Bench, index: number): Promise<Figures> {
  const [size = 0, before = 0] = [sizes[index], sizes[index - 1]];
  const from = index * numbersOfSize;
  const loads = planLoads(size - before, brands, from);
  const [walked, cited] = loads;
  if (walked === undefined || cited === undefined) throw new Error('at least three brands');
  await insertBrands(bench.pool, loads);
  const loading = watchMachine();
  const loaded = await loadUnits(bench.pool, loads, bench.today, from);
  assertIdleMachine(loading(), options.force);
  await untilDrained(bench.pool);
  await bench.pool.query('vacuum analyze');
  const useOf = watchMachine();
  const mentions = await measureMentions(bench, walked);
  const { deepest, memoryRatio } = await walkAll(bench, walked);
  const depth = await measureDepth(bench, walked, deepest);
  const sources = await measureSources(bench, cited);
  const { rows, ...ingest } = await measureIngest(bench, from + numbersOfSize - 1);
  assertIdleMachine(useOf(), options.force);
  const citations = cited.units * cited.sourcesPerUnit;
  tell(`${size} units, loaded at ${loaded.toFixed(0)} a second:
  mentions, ${pageLimit} rows: over HTTP ${ratio(mentions)} times plain pg without HTTP
  memory over a walk of ${walked.units} rows: at the end ${memoryRatio.toFixed(2)} of after a fifth
  deepest whole page of that walk: ${ratio(depth)} times the first
  sources over 90 days, ${citations} citations: ${ratio(sources)} times one bare count by domain in SQL (${sources.own.toFixed(0)} ms here)
  ingest, ${batchSize} units (${rows} rows) a batch: ${(ingest.base / ingest.own).toFixed(2)} of the rows per second of COPY into bare tables with the same indexes`);
  return { size, citations, mentions, depth, sources, ingest };
}

/** Costs here over the smallest size's, by what ten times the units multiply them. Returns the plot. */
function tellGrowth(all: readonly Figures[]): string {
  const by = (name: string, cost: (figures: Figures) => number): Growth => ({
    name,
    points: all.map((figures) => ({ size: figures.size, cost: cost(figures) })),
  });
  const units = [
    by('first page', ({ mentions }) => mentions.own),
    by('deepest page', ({ depth }) => depth.own),
    by('ingest', ({ ingest }) => ingest.own),
  ];
  const sources = all.map((figures) => ({ size: figures.citations, cost: figures.sources.own }));
  tell(`Growth over units, and over citations (1 a decade is flat, 10 linear):`);
  for (const { name, points } of [...units, { name: 'sources over citations', points: sources }])
    tell(`  ${name}: ${growthText(points)}`);
  const title = 'What a page of mentions and a batch of ingest take, smallest = 1';
  return growthChart(title, 'units', units);
}

async function tellWeight(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string; bytes: number }>(
    `select relname as name, pg_total_relation_size(oid)::float8 as bytes from pg_class
     where relnamespace = current_schema::regnamespace and relkind = 'r' and relname not like 'bare_%'
     order by 2 desc limit 6`,
  );
  const shares = rows.map(({ name, bytes }) => `${name} ${(bytes / units).toFixed(0)}`).join(', ');
  tell(`Bytes a unit with its indexes: ${shares}`);
}

async function run(): Promise<void> {
  await startDataStores();
  const database = await createDatabase('results');
  await waitForDisk(database.adminUrl);
  const log = createLogger({ service: 'bench', level: 'warn' });
  const common = { applicationName: 'bench', log, metrics: createMetrics('bench') };
  const pool = createPool({ ...common, connectionString: database.url, statementTimeoutMs: 600_000 });
  const nats = await startNats();
  await createBareTables(pool);
  const service = await startService(database.url, nats.url);
  const bench = { ...service, databaseUrl: database.url, pool, today, rounds };
  tell(`Medians of ${rounds} rounds by turns; each size adds ${brands} brands:`);
  const measured: Figures[] = [];
  for (const index of sizes.keys()) measured.push(await measureAt(bench, index));
  const plot = tellGrowth(measured);
  await tellWeight(pool);
  await pool.end();
  await stopChildren({ keepDataStores: true });
  await nats.stop();
  await database.drop();
  process.stdout.write(`${figures.join('\n')}\n`);
  if (options.plot !== '') writeFileSync(options.plot, plot);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void stopChildren().finally(() => process.exit(1)));
}
try {
  await run();
} catch (error) {
  // Before the stores end: what loses its connection then would be all there is to read.
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exitCode = 1;
} finally {
  await stopChildren();
}
