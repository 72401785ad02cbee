import { cpuMsByName } from '@bv/measure';
import { createPool } from '@bv/postgres';
import { createLogger, createMetrics } from '@bv/telemetry';
import { createDatabase, freePort } from '@bv/testkit';
import { readMetric, startChild, waitForDisk } from '@bv/testkit/bench';
import { createSecretCipher } from '../src/domain/secrets.ts';
import { createCertificate } from '../test/certificate.ts';
import { startDnsServer } from '../test/dns-server.ts';
import { insertDeliveries, insertEndpoints, measureDeliveries } from './deliveries.ts';

/** Elapsed time, CPU time of the process, and CPU time of Postgres. */
export type Cost = { ms: number; cpuMs: number; postgresMs: number };

export type Receivers = { urls: string[]; ca: string; nameServer: string; close(): Promise<void> };

const endpointCount = 20;
const partners = 4;
const key = { id: 'k1', key: Buffer.alloc(32, 2) };
const cipher = createSecretCipher([key]);

/** A receiver over TLS with a host name for each endpoint, and the name server that knows the names. */
export async function startReceivers(): Promise<Receivers> {
  const certificate = createCertificate('*.example.com');
  const args = [certificate.key, certificate.cert];
  const port = await startChild(new URL('receiver.ts', import.meta.url), { args });
  const dns = await startDnsServer(() => ['127.0.0.1']);
  const urls = Array.from({ length: endpointCount }, (_, index) => `https://r${index}.example.com:${port}/`);
  return { urls, ca: certificate.ca, nameServer: dns.address, close: () => dns.close() };
}

export async function startDispatcher({ urls, ca, nameServer }: Receivers, concurrency: string) {
  const database = await createDatabase('webhooks');
  await waitForDisk(database.adminUrl);
  const log = createLogger({ service: 'bench', level: 'warn' });
  const common = { applicationName: 'bench', log, metrics: createMetrics('bench') };
  const pool = createPool({ ...common, connectionString: database.url });
  const monitoringPort = String(await freePort());
  const settings = {
    ROLE: 'dispatcher',
    DATABASE_URL: database.url,
    NATS_URL: 'nats://127.0.0.1:1',
    MONITORING_PORT: monitoringPort,
    CALLER_SECRETS: 'not used by a dispatcher',
    CURSOR_KEYS: `1:${Buffer.alloc(32, 1).toString('base64')}`,
    WEBHOOKS_SECRET_KEYS: `${key.id}:${key.key.toString('base64')}`,
    WEBHOOKS_ALLOW_CIDRS: '127.0.0.0/8',
    WEBHOOKS_DNS_SERVERS: nameServer,
    WEBHOOKS_EXTRA_CA: ca,
    WEBHOOKS_PER_PROCESS: concurrency,
    DRAIN_MS: '0',
    NODE_ENV: 'test',
  };
  await startChild(new URL('../src/main.ts', import.meta.url), { env: settings, line: /"msg":"ready"/ });
  const monitoringUrl = `http://127.0.0.1:${monitoringPort}`;
  const readCpu = async (): Promise<Omit<Cost, 'ms'>> => ({
    cpuMs: (await readMetric(monitoringUrl, 'process_cpu_seconds_total')) * 1_000,
    postgresMs: cpuMsByName(process.pid).get('postgres') ?? 0,
  });
  await insertEndpoints(pool, { urls, endpoints: endpointCount, partners, cipher });
  const measure = async (count: number): Promise<Cost> => {
    await insertDeliveries(pool, count);
    const before = await readCpu();
    const ms = await measureDeliveries(pool);
    const after = await readCpu();
    return { ms, cpuMs: after.cpuMs - before.cpuMs, postgresMs: after.postgresMs - before.postgresMs };
  };
  return { name: 'one dispatcher', measure, close: () => pool.end() };
}

/** A bare undici loop to the same receiver, in a new process each time. */
export function bareLoop({ urls, ca }: Receivers, concurrency: string) {
  const measure = async (count: number): Promise<Cost> => {
    const args = [urls.join(','), ca, String(count), concurrency];
    const line = await startChild(new URL('bare-loop.ts', import.meta.url), { args });
    return { ...(JSON.parse(line) as Omit<Cost, 'postgresMs'>), postgresMs: 0 };
  };
  return { name: 'bare undici loop', measure };
}
