import { parseArgs } from 'node:util';
import { createPool, type Pool } from '@bv/postgres';
import { createLogger, createMetrics } from '@bv/telemetry';
import { createDatabase, freePort } from '@bv/testkit';
import { growthText, median, assertIdleMachine, watchMachine } from '@bv/measure';
import { startChild, startDataStores, stopChildren, waitForDisk } from '@bv/testkit/bench';
import { deliver, insertEndpoints } from './deliveries.ts';

/**
 * Deliveries per second of one dispatcher against bare undici POST loops to the same receiver with the same
 * concurrency, in rounds by turns, each in a process of its own.
 */
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    count: { type: 'string', default: '2000' },
    concurrency: { type: 'string', default: '50' },
    /** Figures in spite of a machine that does other things too. */
    force: { type: 'boolean', default: false },
  },
});
const count = Number(options.count);
const rounds = Number(options.rounds);
const contenders = ['dispatcher', 'reuse', 'fresh'] as const;
type Contender = (typeof contenders)[number];
const labels: Record<Contender, string> = {
  dispatcher: 'one dispatcher',
  reuse: 'bare undici loop, connections reused',
  fresh: 'bare undici loop, a connection for each request',
};
const fewEndpoints = 20;
const partners = 4;
const key = { id: 'k1', key: Buffer.alloc(32, 2) };
const say = (line: string): boolean => process.stderr.write(`${line}\n`);

async function openDatabase(): Promise<{ pool: Pool; url: string }> {
  await startDataStores();
  const database = await createDatabase('webhooks');
  await waitForDisk(database.adminUrl);
  const log = createLogger({ service: 'bench', level: 'warn' });
  const common = { applicationName: 'bench', log, metrics: createMetrics('bench') };
  return { url: database.url, pool: createPool({ ...common, connectionString: database.url }) };
}

async function startDispatcher(databaseUrl: string): Promise<void> {
  const env = {
    ROLE: 'dispatcher',
    DATABASE_URL: databaseUrl,
    NATS_URL: 'nats://127.0.0.1:1',
    MONITORING_PORT: String(await freePort()),
    CALLER_SECRETS: 'a dispatcher asks for none',
    CURSOR_KEYS: `1:${Buffer.alloc(32, 1).toString('base64')}`,
    WEBHOOKS_SECRET_KEYS: `${key.id}:${key.key.toString('base64')}`,
    WEBHOOKS_ALLOW_CIDRS: '127.0.0.0/8',
    WEBHOOKS_ALLOW_HTTP: 'true',
    WEBHOOKS_PER_PROCESS: options.concurrency,
    DRAIN_MS: '0',
    NODE_ENV: 'test',
  };
  await startChild(new URL('../src/main.ts', import.meta.url), { env, line: /"msg":"ready"/ });
}

async function run(): Promise<void> {
  const { pool, url } = await openDatabase();
  const useOf = watchMachine();
  const origin = `http://127.0.0.1:${await startChild(new URL('receiver.ts', import.meta.url))}`;
  await insertEndpoints(pool, { url: origin, endpoints: fewEndpoints, partners, keys: [key] });
  await startDispatcher(url);
  const measure = async (contender: Contender): Promise<number> => {
    if (contender === 'dispatcher') return deliver(pool, count);
    const args = [origin, options.count, options.concurrency, contender];
    return Number(await startChild(new URL('bare-loop.ts', import.meta.url), { args }));
  };
  const rates: Record<Contender, number[]> = { dispatcher: [], reuse: [], fresh: [] };
  /** Figures wait until it is known that nothing disturbed them. */
  const told: string[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    for (const contender of contenders) {
      const rate = count / ((await measure(contender)) / 1_000);
      const name = round === 0 ? 'warm-up' : `round ${round} of ${rounds}`;
      say(`${name}: ${labels[contender]} is done`);
      if (round === 0) continue;
      rates[contender].push(rate);
      told.push(`  ${name}: ${labels[contender]} ${rate.toFixed(0)}/s\n`);
    }
  }
  const growth = await measureGrowth(pool, origin);
  await pool.end();
  assertIdleMachine(useOf(), options.force);
  const own = median(rates.dispatcher);
  process.stdout.write(told.join(''));
  process.stdout.write(`Median of ${rounds} rounds of ${count}, ${options.concurrency} at a time\n`);
  for (const contender of contenders) {
    const rate = median(rates[contender]);
    const share = contender === 'dispatcher' ? '' : `; the dispatcher is ${(own / rate).toFixed(2)} of it`;
    process.stdout.write(`  ${labels[contender]}: ${rate.toFixed(0)}/s${share}\n`);
  }
  process.stdout.write(`  time a delivery by endpoints, ${growthText(growth)} (1 is flat)\n`);
}

/** The same number of deliveries over ten and a hundred times as many endpoints. */
async function measureGrowth(pool: Pool, url: string): Promise<{ size: number; cost: number }[]> {
  const points = [];
  for (const size of [fewEndpoints, fewEndpoints * 10, fewEndpoints * 100]) {
    const endpoints = size - (points.at(-1)?.size ?? fewEndpoints);
    if (endpoints > 0) await insertEndpoints(pool, { url, endpoints, partners, keys: [key] });
    await pool.query('vacuum analyze');
    const costs: number[] = [];
    for (let round = 0; round <= Math.min(3, rounds); round += 1) costs.push(await deliver(pool, count));
    points.push({ size, cost: median(costs.slice(1)) });
    say(`${size} endpoints are done`);
  }
  return points;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void stopChildren().finally(() => process.exit(1)));
}
try {
  await run();
} finally {
  await stopChildren();
}
