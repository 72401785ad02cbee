import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { migrate, provision } from '@bv/postgres';
import { createPrompt, createProperty, getOrg, operatorCreateOrg, syncPrompts } from '@bv/contract';
import {
  type CallOperation,
  createOperationClient,
  eventually,
  freePort,
  makeReadOnly,
  serviceEnvironment,
  startNats,
  startPostgres,
  type TestServer,
  waitUntilLocked,
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

type Instance = { child: ChildProcess; call: CallOperation; readyUrl: string };

/** Starts the service as a separate process. */
async function startProcess(): Promise<Instance> {
  const [port, monitoringPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, ['--conditions=@bv/source', main], {
    stdio: 'ignore',
    env: {
      ...serviceEnvironment({ databaseUrl, natsUrl: nats.url }),
      PORT: String(port),
      MONITORING_PORT: String(monitoringPort),
    },
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return {
    child,
    call: createOperationClient(`http://127.0.0.1:${port}`),
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

const addOrgWithBrand = async ({ call }: Instance) => {
  const org = await call(operatorCreateOrg, { body: { name: 'Acme', tier: 'enterprise' } });
  const params = { orgId: org.data.id };
  const brand = await call(createProperty, { params, body: { name: 'Brand', domain: 'brand.com' } });
  return { ...params, brandId: brand.data.id };
};

/** Makes the transaction that inserts the prompt wait. Returns a function that ends this. */
async function blockInsert(text: string): Promise<() => Promise<void>> {
  await sql.query(
    `create function block_insert() returns trigger language plpgsql as $$
     begin
       if new.text = '${text}' then perform pg_advisory_xact_lock(1); end if;
       return new;
     end $$`,
  );
  await sql.query(
    'create trigger block_insert before insert on prompts for each row execute function block_insert()',
  );
  const holder = await sql.connect();
  await holder.query('select pg_advisory_lock(1)');
  return async () => {
    await holder.query('select pg_advisory_unlock(1)');
    holder.release();
    await sql.query('drop function block_insert cascade');
  };
}

/** Listens on the port of a stopped NATS server until it was connected to `count` times. */
async function untilConnectedTo(port: number, count: number): Promise<void> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => undefined).destroy();
  });
  server.listen(port, '127.0.0.1');
  try {
    await eventually(() => expect(connections).toBeGreaterThanOrEqual(count));
  } finally {
    server.close();
    await once(server, 'close');
  }
}

test('killed during a sync: a retry on another process completes it, without duplicate writes', async () => {
  const first = await startProcess();
  await untilReady(first);
  const ownBrand = await addOrgWithBrand(first);
  const operationId = randomUUID();
  const body = {
    prompts: Array.from({ length: 400 }, (_, index) => ({ text: `p${index}`, countries: ['US'] })),
  };
  const sync = ({ call }: Instance) => call(syncPrompts, { params: ownBrand, body, caller: { operationId } });
  const goOn = await blockInsert('p200');
  const lost = sync(first).catch(() => undefined);
  const stored = async (): Promise<number> => {
    const { rows } = await sql.query('select count(*)::int as n from prompts where org_id = $1', [
      ownBrand.orgId,
    ]);
    return rows[0].n;
  };
  await waitUntilLocked(sql, 'insert into prompts');
  await stop(first, 'SIGKILL');
  await goOn();
  expect(await lost).toBeUndefined();
  expect(await stored()).toBe(200);

  const second = await startProcess();
  await untilReady(second);
  const response = await sync(second);
  expect(response.data.summary).toMatchObject({ total: 400, created: 400, failed: 0 });
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
  await untilConnectedTo(nats.port, 3);
  expect(await readiness(instance)).toBe(503);
  await nats.start();
  await untilReady(instance);
  const ownBrand = await addOrgWithBrand(instance);

  // Not killed: the test server acknowledges commits before they are on disk.
  await postgres.stop();
  await eventually(async () => expect(await readiness(instance)).toBe(503));
  const params = { orgId: ownBrand.orgId };
  const refused = await instance.call(getOrg, { params });
  expect(refused.refusal).toMatchObject({ status: 503, code: 'api_unavailable' });
  expect(refused.headers.get('retry-after')).toBe('5');
  await postgres.start();
  await untilReady(instance);
  expect((await instance.call(getOrg, { params })).status).toBe(200);

  await nats.stop();
  const body = { text: 'sent later', countries: ['US'] };
  expect((await instance.call(createPrompt, { params: ownBrand, body })).status).toBe(201);
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
    const ownBrand = await addOrgWithBrand(instance);
    const body = { text: `read-only ${kind}`, countries: ['US'] };
    const send = () =>
      kind === 'read'
        ? instance.call(getOrg, { params: { orgId: ownBrand.orgId } })
        : instance.call(createPrompt, { params: ownBrand, body });
    const adminUrl = new URL(postgres.url);
    adminUrl.pathname = '/bv';
    const makeWritable = await makeReadOnly(adminUrl.href);
    const refused = await send();
    expect(refused.refusal).toMatchObject({ status: 503, code: 'api_unavailable' });
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(await readiness(instance)).toBe(503);
    await makeWritable();
    expect((await send()).status).toBe(kind === 'read' ? 200 : 201);
    expect(await readiness(instance)).toBe(200);
    await stop(instance, 'SIGTERM');
  },
);
