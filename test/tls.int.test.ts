import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually, freePort, redisUrl, startNats, startPostgres, type TestServer } from '@bv/testkit';
import { createAuthority, terminateTls, type Authority } from './tls-terminator.ts';

const services = ['gateway', 'catalog', 'results', 'scans', 'webhooks'];
const key = `1:${Buffer.alloc(32, 1).toString('base64')}`;

let authority: Authority;
let postgres: TestServer;
let nats: TestServer;
const closing: (() => void)[] = [];
/** Environment of every program: store URLs with host names, and TLS that verifies them. */
let environment: Record<string, string>;
let adminUrl: string;

const secureUrl = (
  url: string,
  port: number,
  { protocol, search = '' }: { protocol: string; search?: string },
): string => {
  const { username, password, pathname } = new URL(url);
  const login = username || password ? `${username}:${password}@` : '';
  return `${protocol}://${login}localhost:${port}${pathname}${search}`;
};

beforeAll(async () => {
  authority = createAuthority();
  [postgres, nats] = await Promise.all([startPostgres(), startNats()]);
  const front = async (protocol: 'postgres' | 'redis' | 'nats', url: string): Promise<number> => {
    const terminator = await terminateTls(protocol, Number(new URL(url).port), authority);
    closing.push(() => terminator.close());
    return terminator.port;
  };
  const database = { protocol: 'postgres', search: '?sslmode=verify-full' };
  const port = await front('postgres', postgres.url);
  adminUrl = secureUrl(postgres.url, port, database);
  const urls = services.map((service) => [
    `${service.toUpperCase()}_DATABASE_URL`,
    `postgres://bv_${service}:secret@localhost:${port}/secure?sslmode=verify-full`,
  ]);
  environment = {
    ...(Object.fromEntries(urls) as Record<string, string>),
    REDIS_URL: secureUrl(redisUrl(), await front('redis', redisUrl()), { protocol: 'rediss' }),
    NATS_URL: `tls://localhost:${await front('nats', nats.url)}`,
    CALLER_SECRETS: 'a-secret-of-the-callers',
    OPERATOR_TOKEN: 'a-token-of-the-operator',
    CURSOR_KEYS: key,
    KEY_PEPPERS: key,
    IDEMPOTENCY_KEYS: key,
    OPERATOR_PORT: '0',
    DRAIN_MS: '0',
    LOG_LEVEL: 'warn',
  };
  for (const name of ['CATALOG', 'RESULTS', 'SCANS', 'WEBHOOKS'])
    environment[`${name}_URL`] = 'http://localhost:1';
}, 120_000);

afterAll(async () => {
  for (const close of closing) close();
  await Promise.all([postgres.stop(), nats.stop()]);
  authority.remove();
});

const children = new Set<ChildProcess>();
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
});

function run(script: string, settings: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, ['--conditions=@bv/source', script], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: { PATH: process.env['PATH'], ...environment, ...settings },
    stdio: 'ignore',
  });
  children.add(child);
  return child;
}

const migrate = async (settings: Record<string, string>): Promise<number> => {
  const child = run('libs/migrator/src/main.ts', { ADMIN_DATABASE_URL: adminUrl, WAIT_MS: '0', ...settings });
  const [status] = (await once(child, 'exit')) as [number];
  return status;
};

async function serve(
  service: string,
  settings: Record<string, string>,
): Promise<{ url: string; ready(): Promise<number> }> {
  const [port, monitoring] = [await freePort(), await freePort()];
  const databaseUrl = environment[`${service.toUpperCase()}_DATABASE_URL`] ?? '';
  const ports = { PORT: String(port), MONITORING_PORT: String(monitoring) };
  run(`services/${service}/src/main.ts`, { DATABASE_URL: databaseUrl, ...ports, ...settings });
  return {
    url: `http://127.0.0.1:${port}`,
    ready: async () => (await fetch(`http://127.0.0.1:${monitoring}/readyz`)).status,
  };
}

const wrongKey = { headers: { authorization: `Bearer bvk_live_${'A'.repeat(43)}` } };

test('with the authority in NODE_EXTRA_CA_CERTS, Postgres, NATS and Redis are used over TLS', async () => {
  const trusting = { NODE_EXTRA_CA_CERTS: authority.caFile };
  expect(await migrate(trusting)).toBe(0);
  const [catalog, gateway] = await Promise.all([serve('catalog', trusting), serve('gateway', trusting)]);
  await eventually(async () => expect(await catalog.ready()).toBe(200), { timeoutMs: 60_000 });
  await eventually(async () => expect(await gateway.ready()).toBe(200), { timeoutMs: 60_000 });
  // A wrong key is counted in Redis. Without Redis the response is 503.
  await eventually(async () => expect((await fetch(`${gateway.url}/v1/orgs`, wrongKey)).status).toBe(401));
}, 180_000);

test('without the authority none of them is used: an unverified certificate counts as no server', async () => {
  expect(await migrate({})).toBe(1);
  const trusted = { sslmode: 'no-verify' };
  const open = (name: string): Record<string, string> => ({
    DATABASE_URL: (environment[name] ?? '').replace('verify-full', trusted.sslmode),
  });
  const [catalog, gateway] = await Promise.all([
    serve('catalog', open('CATALOG_DATABASE_URL')),
    serve('gateway', open('GATEWAY_DATABASE_URL')),
  ]);
  await eventually(async () => expect(await gateway.ready()).toBe(200), { timeoutMs: 60_000 });
  expect((await fetch(`${gateway.url}/v1/orgs`, wrongKey)).status).toBe(503);
  await eventually(async () => expect(await catalog.ready()).toBe(503), { timeoutMs: 30_000 });
}, 180_000);
