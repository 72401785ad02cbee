import { parseArgs } from 'node:util';
import { createPool, type Pool } from '@bv/postgres';
import { createLogger, createMetrics } from '@bv/telemetry';
import { createDatabase, freePort } from '@bv/testkit';
import { growthText, median, assertIdleMachine, watchMachine } from '@bv/measure';
import { startChild, startDataStores, stopChildren, waitForDisk } from '@bv/testkit/bench';
import { createSecretCipher } from '../src/domain/secrets.ts';
import { measureDeliveries, insertEndpoints } from './deliveries.ts';

/**
 * Compares the deliveries per second of one dispatcher with bare undici POST loops. Receiver and concurrency are the
 * same. The targets run interleaved in rounds, each in its own process.
 */
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    count: { type: 'string', default: '2000' },
    concurrency: { type: 'string', default: '50' },
    /** Print results even when other processes used the machine. */
    force: { type: 'boolean', default: false },
  },
});
const count = Number(options.count);
const rounds = Number(options.rounds);
const targets = ['dispatcher', 'reuse', 'fresh'] as const;
type Target = (typeof targets)[number];
const labels: Record<Target, string> = {
  dispatcher: 'one dispatcher',
  reuse: 'bare undici loop, connections reused',
  fresh: 'bare undici loop, a connection for each request',
};
const baseEndpoints = 20;
const partners = 4;
const key = { id: 'k1', key: Buffer.alloc(32, 2) };
const cipher = createSecretCipher([key]);
const report = (line: string): boolean => process.stderr.write(`${line}\n`);

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
    CALLER_SECRETS: 'not used by a dispatcher',
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
  const readMachineUse = watchMachine();
  const origin = `http://127.0.0.1:${await startChild(new URL('receiver.ts', import.meta.url))}`;
  await insertEndpoints(pool, { url: origin, endpoints: baseEndpoints, partners, cipher });
  await startDispatcher(url);
  const measure = async (target: Target): Promise<number> => {
    if (target === 'dispatcher') return measureDeliveries(pool, count);
    const args = [origin, options.count, options.concurrency, target];
    return Number(await startChild(new URL('bare-loop.ts', import.meta.url), { args }));
  };
  const rates: Record<Target, number[]> = { dispatcher: [], reuse: [], fresh: [] };
  /** Printed only after the check that the machine was idle. */
  const lines: string[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    for (const target of targets) {
      const rate = count / ((await measure(target)) / 1_000);
      const name = round === 0 ? 'warm-up' : `round ${round} of ${rounds}`;
      report(`${name}: ${labels[target]} is done`);
      if (round === 0) continue;
      rates[target].push(rate);
      lines.push(`  ${name}: ${labels[target]} ${rate.toFixed(0)}/s\n`);
    }
  }
  const growth = await measureGrowth(pool, origin);
  await pool.end();
  assertIdleMachine(readMachineUse(), options.force);
  const dispatcherRate = median(rates.dispatcher);
  process.stdout.write(lines.join(''));
  process.stdout.write(`Median of ${rounds} rounds of ${count}, ${options.concurrency} at a time\n`);
  for (const target of targets) {
    const rate = median(rates[target]);
    const share =
      target === 'dispatcher' ? '' : `; the dispatcher reaches ${(dispatcherRate / rate).toFixed(2)} of it`;
    process.stdout.write(`  ${labels[target]}: ${rate.toFixed(0)}/s${share}\n`);
  }
  process.stdout.write(`  time per delivery by endpoints, ${growthText(growth)} (1 is flat)\n`);
}

/** Measures the same number of deliveries over 10 and 100 times as many endpoints. */
async function measureGrowth(pool: Pool, url: string): Promise<{ size: number; cost: number }[]> {
  const points = [];
  for (const size of [baseEndpoints, baseEndpoints * 10, baseEndpoints * 100]) {
    const endpoints = size - (points.at(-1)?.size ?? baseEndpoints);
    if (endpoints > 0) await insertEndpoints(pool, { url, endpoints, partners, cipher });
    await pool.query('vacuum analyze');
    const costs: number[] = [];
    for (let round = 0; round <= Math.min(3, rounds); round += 1)
      costs.push(await measureDeliveries(pool, count));
    points.push({ size, cost: median(costs.slice(1)) });
    report(`${size} endpoints are done`);
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
