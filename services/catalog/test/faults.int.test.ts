import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { migrate, provision } from '@bv/postgres';
import {
  callService,
  eventually,
  freePort,
  makeReadOnly,
  startNats,
  startPostgres,
  testCaller,
  testCallerSecret,
  type TestServer,
} from '@bv/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const migrations = fileURLToPath(new URL('../migrations', import.meta.url));

let postgres: TestServer;
let nats: TestServer;
let databaseUrl: string;
let sql: pg.Pool;
const running = new Set<ChildProcess>();

beforeAll(async () => {
  [postgres, nats] = await Promise.all([startPostgres(), startNats()]);
  await provision({
    adminUrl: postgres.url,
    database: 'bv',
    services: [{ name: 'catalog', password: 'test' }],
  });
  const url = new URL(postgres.url);
  Object.assign(url, { username: 'bv_catalog', password: 'test', pathname: '/bv' });
  databaseUrl = url.href;
  await migrate({ connectionString: databaseUrl, dir: migrations });
  sql = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  sql.on('error', () => undefined);
});
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await sql.end();
  await Promise.all([postgres.stop(), nats.stop()]);
});

type Instance = { child: ChildProcess; baseUrl: string; readyUrl: string };

/** Starts the service as a separate process. */
async function startProcess(): Promise<Instance> {
  const [port, monitoringPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, ['--conditions=@bv/source', main], {
    stdio: 'ignore',
    env: {
      PORT: String(port),
      MONITORING_PORT: String(monitoringPort),
      DATABASE_URL: databaseUrl,
      NATS_URL: nats.url,
      CALLER_SECRETS: testCallerSecret,
      CURSOR_KEYS: `1:${randomBytes(32).toString('base64')}`,
      CHECK_RESPONSES: 'true',
      DRAIN_MS: '0',
      LOG_LEVEL: 'silent',
    },
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return {
    child,
    baseUrl: `http://127.0.0.1:${port}`,
    readyUrl: `http://127.0.0.1:${monitoringPort}/readyz`,
  };
}

const readiness = async ({ readyUrl }: Instance): Promise<number> => (await fetch(readyUrl)).status;
const untilReady = (instance: Instance) =>
  eventually(async () => expect(await readiness(instance)).toBe(200), { timeoutMs: 90_000 });
const stop = async ({ child }: Instance, signal: NodeJS.Signals): Promise<void> => {
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
};

const operator = testCaller({ orgId: null, link: null, owner: { kind: 'operator', id: randomUUID() } });
const createOrgWithBrand = async ({ baseUrl }: Instance) => {
  const body = { name: 'Acme', tier: 'enterprise' };
  const org = await callService(baseUrl, {
    method: 'POST',
    path: '/operator/v1/orgs',
    caller: operator,
    body,
  });
  const orgId = org.body.data.id as string;
  const property = await callService(baseUrl, {
    method: 'POST',
    path: `/v1/orgs/${orgId}/properties`,
    caller: testCaller({ orgId }),
    body: { name: 'Brand', domain: 'brand.com' },
  });
  return { orgId, path: `/v1/orgs/${orgId}/brands/${property.body.data.id}/prompts` };
};

test('killed during a sync: a retry on another process completes it, without duplicate writes', async () => {
  const first = await startProcess();
  await untilReady(first);
  const { orgId, path } = await createOrgWithBrand(first);
  const caller = () => testCaller({ orgId, operationId, operation: 'syncPrompts' });
  const operationId = randomUUID();
  const body = {
    prompts: Array.from({ length: 400 }, (_, index) => ({ text: `p${index}`, countries: ['US'] })),
  };
  const lost = callService(first.baseUrl, { method: 'PUT', path, caller: caller(), body }).catch(
    () => undefined,
  );
  const stored = async (): Promise<number> => {
    const { rows } = await sql.query('select count(*)::int as n from prompts where org_id = $1', [orgId]);
    return rows[0].n;
  };
  await eventually(async () => expect(await stored()).toBeGreaterThan(20), { intervalMs: 5 });
  await stop(first, 'SIGKILL');
  expect(await lost).toBeUndefined();
  expect(await stored()).toBeLessThan(400);

  const second = await startProcess();
  await untilReady(second);
  const response = await callService(second.baseUrl, { method: 'PUT', path, caller: caller(), body });
  expect(response.body.data.summary).toMatchObject({ total: 400, created: 400, failed: 0 });
  expect(await stored()).toBe(400);
  const { rows } = await sql.query(
    `select count(*)::int as events, count(distinct aggregate_id)::int as prompts from outbox
     where type = 'catalog.prompt.changed.v1'`,
  );
  expect(rows[0]).toEqual({ events: 400, prompts: 400 });
  await stop(second, 'SIGTERM');
  expect(second.child.exitCode).toBe(0);
});

test('unavailable data stores: not ready, 503 api_unavailable, and recovery without a restart', async () => {
  await nats.stop();
  const instance = await startProcess();
  await eventually(async () => expect(await readiness(instance)).toBe(503), { timeoutMs: 30_000 });
  // A process that starts now is not ready either.
  await sleep(2_000);
  expect(await readiness(instance)).toBe(503);
  await nats.start();
  await untilReady(instance);
  const { orgId, path } = await createOrgWithBrand(instance);

  // Not killed: the test server acknowledges commits before they are on disk.
  await postgres.stop();
  await eventually(async () => expect(await readiness(instance)).toBe(503));
  const caller = testCaller({ orgId });
  const refused = await callService(instance.baseUrl, { path: `/v1/orgs/${orgId}`, caller });
  expect(refused.status).toBe(503);
  expect(refused.body.error.code).toBe('api_unavailable');
  expect(refused.headers.get('retry-after')).toBe('5');
  await postgres.start();
  await untilReady(instance);
  expect((await callService(instance.baseUrl, { path: `/v1/orgs/${orgId}`, caller })).status).toBe(200);

  await nats.stop();
  const body = { text: 'sent later', countries: ['US'] };
  expect((await callService(instance.baseUrl, { method: 'POST', path, caller, body })).status).toBe(201);
  await nats.start();
  await eventually(
    async () => {
      const { rows } = await sql.query('select count(*)::int as n from outbox where sent_at is null');
      expect(rows[0].n).toBe(0);
    },
    { timeoutMs: 60_000 },
  );
  await stop(instance, 'SIGTERM');
});

test.each(['read', 'write'] as const)(
  'a database that is read-only, then writable: not ready and 503 to a %s, then the first request is served',
  async (kind) => {
    const instance = await startProcess();
    await untilReady(instance);
    const { orgId, path } = await createOrgWithBrand(instance);
    const body = { text: `read-only ${kind}`, countries: ['US'] };
    const caller = testCaller({ orgId });
    const send = () =>
      kind === 'read'
        ? callService(instance.baseUrl, { path: `/v1/orgs/${orgId}`, caller })
        : callService(instance.baseUrl, { method: 'POST', path, caller, body });
    const adminUrl = new URL(postgres.url);
    adminUrl.pathname = '/bv';
    const makeWritable = await makeReadOnly(adminUrl.href);
    const refused = await send();
    expect([refused.status, refused.body.error?.code, refused.headers.get('retry-after')]).toEqual([
      503,
      'api_unavailable',
      '5',
    ]);
    expect(await readiness(instance)).toBe(503);
    await makeWritable();
    expect((await send()).status).toBe(kind === 'read' ? 200 : 201);
    expect(await readiness(instance)).toBe(200);
    await stop(instance, 'SIGTERM');
  },
);
