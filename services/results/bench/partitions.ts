import { medianRatio, median, type Pair, readBenchOptions } from '@bv/measure';
import { createPool, type Pool, transaction } from '@bv/postgres';
import { createLogger, createMetrics } from '@bv/telemetry';
import { startNats } from '@bv/testkit';
import { startDataStores, waitForDisk } from '@bv/testkit/bench';
import { ingestUnits } from '../src/commands/ingest-units.ts';
import { scoreDay } from '../src/commands/score-day.ts';
import { createEarlierDatabase } from '../test/earlier-database.ts';
import { generateUnits, orgId, planLoads, toBrandId, toDay } from './generate.ts';
import { createLayout } from './layouts.ts';
import { batchSize, loadUnits } from './load.ts';
import { timed } from './measure.ts';
import { getPage } from './reads.ts';
import { runBench } from './run-bench.ts';
import { startService } from './service.ts';

/**
 * Measures reads and ingest of tables without partitions next to copies of the same rows in partitions. Each round
 * measures every layout, forwards and backwards in turn, so that other load on the machine meets all of them.
 */
const options = readBenchOptions('partitions', {
  units: { default: '1000000', description: 'units of each layout' },
  brands: { default: '200', description: 'brands of each layout' },
  partitions: { default: '1,32', description: 'numbers of partitions to compare with tables without any' },
  rounds: {
    default: '40',
    description: 'rounds of each comparison; figures are medians of the ratios of a round',
  },
});
const rounds = Number(options.rounds);
const scoredDays = 28;
const today = Date.parse(`${new Date().toISOString().slice(0, 10)}T00:00:00Z`);
const loads = planLoads(Number(options.units), Number(options.brands), 0);
const report = (line: string): boolean => process.stderr.write(`${line}\n`);

type Layout = { name: string; pool: Pool; base: string };

function openPool(url: string): Pool {
  const log = createLogger({ service: 'bench', level: 'warn' });
  const common = { applicationName: 'bench', log, metrics: createMetrics('bench') };
  return createPool({ ...common, connectionString: url, statementTimeoutMs: 600_000 });
}

/** The costs of a figure in each round, by layout. */
async function measure(
  layouts: readonly Layout[],
  cost: (layout: Layout, round: number) => Promise<number>,
): Promise<number[][]> {
  const costs = layouts.map((): number[] => []);
  const indexed = [...layouts.entries()];
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, layout] of round % 2 === 0 ? indexed : indexed.toReversed()) {
      const ms = await cost(layout, round);
      if (round > 0) costs[index]?.push(ms);
    }
  }
  return costs;
}

/** Prints the cost without partitions, and how many times it each layout costs. */
function print(name: string, layouts: readonly Layout[], costs: readonly number[][]): void {
  const [base = []] = costs;
  const ratios = layouts.slice(1).map((layout, index) => {
    const pairs = costs[index + 1]!.map((own, round): Pair => ({ own, base: base[round]! }));
    return `${layout.name} ${medianRatio(pairs).toFixed(2)}`;
  });
  process.stdout.write(
    `${name}: ${median(base).toFixed(1)} ms without partitions; ${ratios.join(', ')} times\n`,
  );
}

async function measureReads(layouts: readonly Layout[]): Promise<void> {
  const [longHistory] = loads;
  const [unit] = generateUnits(longHistory!, 0, { from: 0, to: 1 }, today);
  const [paged, cited] = [toBrandId(0), toBrandId(1)];
  const year = { from: toDay(today, 360), to: toDay(today, 0), limit: '1000' };
  const quarter = { from: toDay(today, 89), to: toDay(today, 0), limit: '50' };
  const month = { from: toDay(today, scoredDays), to: toDay(today, 0), limit: '1000' };
  const reads = {
    'mentions, 100 rows': [`brands/${paged}/mentions`, { ...year, limit: '100' }],
    'mentions, 1,000 rows': [`brands/${paged}/mentions`, year],
    'mentions of 28 days, 1,000 rows': [`brands/${cited}/mentions`, month],
    'results of a prompt, 100 rows': [`prompts/${unit!.prompt_id}/results`, { ...year, limit: '100' }],
    'sources of 90 days': [`brands/${cited}/sources`, quarter],
    'scores of 28 days': [`brands/${cited}/scores`, { ...month, limit: '28' }],
    'share of voice of 28 days': [`brands/${cited}/share-of-voice`, { ...month, limit: '200' }],
  } as const;
  for (const [name, [path, query]] of Object.entries(reads)) {
    const rows = new Set<number>();
    const costs = await measure(layouts, async ({ base }) => {
      const page = await getPage(base, path, query);
      rows.add(page.rows);
      return page.ms;
    });
    if (rows.size !== 1 || rows.has(0)) throw new Error(`${name}: pages of ${[...rows].join(', ')} rows`);
    print(name, layouts, costs);
  }
}

/** Stores the same batches in each layout. */
async function measureWrites(layouts: readonly Layout[]): Promise<void> {
  for (const [number, brands] of [1, 20].entries()) {
    const costs = await measure(layouts, async ({ pool }, round) => {
      const from = 20_000 + number * 1_000;
      const size = batchSize / brands;
      const units = Array.from({ length: brands }, (_, index) => {
        const load = { brandId: toBrandId(from + index), units: 100_000, days: 360, sourcesPerUnit: 2 };
        return generateUnits(load, from + index, { from: round * size, to: (round + 1) * size }, today);
      }).flat();
      return timed(() => transaction(pool, (tx) => ingestUnits(tx, units)));
    });
    print(`ingest of ${batchSize} units of ${brands} brands`, layouts, costs);
  }
  const scoring = await measure(layouts, ({ pool }) =>
    timed(() => transaction(pool, (tx) => scoreDay(tx, toBrandId(1), toDay(today, 1)))),
  );
  print('scoring of a day', layouts, scoring);
}

async function run(): Promise<void> {
  await startDataStores();
  const nats = await startNats();
  const plain = await createEarlierDatabase();
  await waitForDisk(plain.adminUrl);
  const pool = openPool(plain.url);
  for (const { brandId } of loads) {
    await pool.query(
      `insert into brands (id, org_id, name, domain, is_own, geography, version)
       values ($1, $2, 'Brand', 'brand.example.com', true, 'global', 1)`,
      [brandId, orgId],
    );
  }
  const perSecond = await loadUnits(pool, loads, today, 0);
  report(`loaded at ${perSecond.toFixed(0)} units per second`);
  for (let day = scoredDays; day > 0; day -= 1) {
    await transaction(pool, (tx) => scoreDay(tx, toBrandId(1), toDay(today, day)));
  }
  await pool.query(
    'insert into prompts select distinct prompt_id, org_id, brand_id, true, 1 from units where brand_id = $1',
    [toBrandId(0)],
  );
  await pool.query('truncate outbox');
  await pool.end();
  const urls = [{ name: 'none', url: plain.url }];
  for (const partitions of options.partitions.split(',').map(Number)) {
    const startMs = performance.now();
    urls.push({ name: `${partitions} partitions`, url: await createLayout(plain, partitions) });
    report(`${partitions} partitions: ${((performance.now() - startMs) / 1_000).toFixed(0)} s`);
  }
  const layouts: Layout[] = [];
  for (const { name, url } of urls) {
    const layout = { name, pool: openPool(url), ...(await startService(url, nats.url)) };
    await layout.pool.query('vacuum analyze');
    layouts.push(layout);
  }
  process.stdout.write(`${options.units} units of ${options.brands} brands, medians of ${rounds} rounds:\n`);
  await measureReads(layouts);
  await measureWrites(layouts);
  for (const layout of layouts) await layout.pool.end();
  await nats.stop();
}

await runBench(run);
