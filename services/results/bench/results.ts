import { parseArgs } from 'node:util';
import { median, watchMachine } from '@bv/measure';
import { createPool, type Pool } from '@bv/postgres';
import { createLogger, createMetrics } from '@bv/telemetry';
import { createDatabase, freePort, startNats, testCallerSecret } from '@bv/testkit';
import { metricOf, startChild, startDataStores, stopChildren, waitForDisk } from '@bv/testkit/bench';
import pg from 'pg';
import { transaction } from '@bv/postgres';
import { ingestUnits } from '../src/commands/ingest-units.ts';
import { copyUnits, createBareTables } from './copy.ts';
import { brandIdOf, dayOf, orgId, planLoads, unitsOf } from './generate.ts';
import { batchSize, loadUnits } from './load.ts';
import { getPage, readPlain } from './reads.ts';

/**
 * What the service's hot reads and its ingest cost, each beside a baseline in the same run, on units loaded by the
 * service's own ingest. The database waits for the disk as in earnest. Fails, instead of printing a figure, where an
 * answer was wrong or others used the machine meanwhile.
 */
const { values: options } = parseArgs({
  options: {
    units: { type: 'string', default: '10000000' },
    brands: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '30' },
    force: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  process.stdout.write(`pnpm bench results [--units 10000000] [--brands 200] [--rounds 30] [--force]

  --units   units to load; a tenth of the default or less is done in minutes
  --brands  brands they belong to
  --rounds  rounds of each comparison; the figures are medians
  --force   end well even where others used the machine meanwhile
`);
  process.exit(0);
}
const units = Number(options.units);
const rounds = Number(options.rounds);
const loads = planLoads(units, Number(options.brands));
const today = Date.parse(`${new Date().toISOString().slice(0, 10)}T00:00:00Z`);
const [walkBrand, sourcesBrand] = [brandIdOf(0), brandIdOf(1)];
const window = { from: dayOf(today, 360), to: dayOf(today, 0) };
const pageLimit = 1_000;
const mostOthersShare = 0.25;
const say = (line: string): boolean => process.stderr.write(`${line}\n`);
const tell = (line: string): boolean => process.stdout.write(`${line}\n`);
const drained = 'select count(*)::int as left from outbox where sent_at is null';

type Service = { base: string; monitoring: string };

async function startService(databaseUrl: string, natsUrl: string): Promise<Service> {
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

/** Alternates the contenders, the first round for warming up, and gives the medians. */
async function compare(own: () => Promise<number>, base: () => Promise<number>, times = rounds) {
  const figures: { own: number; base: number }[] = [];
  for (let round = 0; round <= times; round += 1) figures.push({ own: await own(), base: await base() });
  const counted = figures.slice(1);
  return { own: median(counted.map((one) => one.own)), base: median(counted.map((one) => one.base)) };
}

const ratio = (own: number, base: number): string => (own / base).toFixed(2);

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

async function measureMentions({ base }: Service, databaseUrl: string): Promise<void> {
  const path = `brands/${walkBrand}/mentions`;
  const first = { ...window, limit: String(pageLimit) };
  const client = await connect(databaseUrl);
  const plain = await compare(
    () => whole(getPage(base, path, first)),
    () => whole(readPlain(client, walkBrand, { ...window, limit: pageLimit })),
  );
  await client.end();
  tell(`mentions, ${pageLimit} rows: over HTTP ${ratio(plain.own, plain.base)} times plain pg without HTTP`);
}

/** Reads the whole walk; returns the cursor of its last whole page. */
async function walkAll({ base, monitoring }: Service): Promise<string> {
  const resident = (): Promise<number> => metricOf(monitoring, 'process_resident_memory_bytes');
  const [load] = loads;
  const total = load?.units ?? 0;
  let [rows, next, deepest] = [0, null as string | null, ''];
  const memory: number[] = [];
  do {
    const query = next === null ? { ...window, limit: String(pageLimit) } : { cursor: next };
    const page = await getPage(base, `brands/${walkBrand}/mentions`, { limit: String(pageLimit), ...query });
    if (page.rows === pageLimit && next !== null) deepest = next;
    rows += page.rows;
    next = page.next;
    const tenth = Math.floor((rows * 10) / total);
    if (tenth > memory.length) {
      memory.push(await resident());
      say(`walk: ${rows} of ${total} rows, ${((memory.at(-1) ?? 0) / 2 ** 20).toFixed(0)} MiB resident`);
    }
  } while (next !== null);
  if (rows !== total) throw new Error(`the walk gave ${rows} rows of ${total}`);
  const [, warm = 0] = memory;
  tell(`memory over a walk of ${total} rows: at the end ${ratio(memory.at(-1) ?? 0, warm)} of after a fifth`);
  return deepest;
}

async function measureDepth({ base }: Service, deepest: string): Promise<void> {
  const path = `brands/${walkBrand}/mentions`;
  const limit = String(pageLimit);
  const depth = await compare(
    () => whole(getPage(base, path, { limit, cursor: deepest })),
    () => whole(getPage(base, path, { limit, ...window })),
  );
  tell(`mentions, deepest whole page of the walk: ${ratio(depth.own, depth.base)} times the first`);
}

async function measureSources({ base }: Service, databaseUrl: string): Promise<void> {
  const range = { from: dayOf(today, 89), to: dayOf(today, 0) };
  const client = await connect(databaseUrl);
  const statement = `select s.domain, count(*) from units u join unit_sources s on s.unit_id = u.id
    where u.brand_id = $1 and u.run_date between $2 and $3 and s.cited group by s.domain order by 2 desc limit 50`;
  let citations = 0;
  const cost = await compare(
    async () => (await getPage(base, `brands/${sourcesBrand}/sources`, { ...range, limit: '50' })).ms,
    async () => {
      const started = performance.now();
      await client.query(statement, [sourcesBrand, range.from, range.to]);
      return performance.now() - started;
    },
    Math.min(5, rounds),
  );
  const counted = await client.query(
    'select count(*)::int as n from units u join unit_sources s on s.unit_id = u.id where u.brand_id = $1',
    [sourcesBrand],
  );
  citations = counted.rows[0].n;
  await client.end();
  tell(
    `sources over 90 days, ${citations} citations: ${ratio(cost.own, cost.base)} times one bare count by domain in SQL (${cost.own.toFixed(0)} ms here)`,
  );
}

async function measureIngest(pool: Pool): Promise<void> {
  await createBareTables(pool);
  const load = { brandId: brandIdOf(900), units: 1_000_000, days: 360, sourcesPerUnit: 2 };
  const times = Math.min(10, rounds);
  let [round, rows] = [0, 0];
  const batchOf = () => unitsOf(load, 900, { from: round * batchSize, to: (round + 1) * batchSize }, today);
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const started = performance.now();
    await work();
    return performance.now() - started;
  };
  const cost = await compare(
    () => timed(() => transaction(pool, (tx) => ingestUnits(tx, batchOf()))),
    async () => {
      const batch = batchOf();
      round += 1;
      return timed(async () => (rows = await copyUnits(pool, batch)));
    },
    times,
  );
  tell(
    `ingest, ${batchSize} units (${rows} rows) a batch: ${ratio(cost.base, cost.own)} of the rows per second of COPY into bare tables with the same indexes`,
  );
}

async function insertBrands(pool: Pool): Promise<void> {
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
    await new Promise((resolve) => setTimeout(resolve, 2_000));
  }
}

async function run(): Promise<void> {
  await startDataStores();
  const database = await createDatabase('results');
  await waitForDisk(database.adminUrl);
  const log = createLogger({ service: 'bench', level: 'warn' });
  const common = { applicationName: 'bench', log, metrics: createMetrics('bench') };
  const pool = createPool({ ...common, connectionString: database.url, statementTimeoutMs: 600_000 });
  const nats = await startNats();
  await insertBrands(pool);
  await loadUnits(pool, loads, today);
  await pool.query('vacuum analyze');
  const service = await startService(database.url, nats.url);
  await untilDrained(pool);
  const useOf = watchMachine();
  tell(`${units} units of ${options.brands} brands, medians of ${rounds} rounds by turns:`);
  await measureMentions(service, database.url);
  await measureDepth(service, await walkAll(service));
  await measureSources(service, database.url);
  await measureIngest(pool);
  const { others } = useOf();
  const [{ left } = { left: 0 }] = (await pool.query<{ left: number }>(drained)).rows;
  say(`outbox after the run: ${left} events to send`);
  await pool.end();
  await stopChildren({ keepDataStores: true });
  await nats.stop();
  await database.drop();
  if (others < mostOthersShare) return;
  tell(`Others took ${(others * 100).toFixed(0)} % of the machine meanwhile: take no figure at its word.`);
  if (!options.force) process.exitCode = 1;
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
