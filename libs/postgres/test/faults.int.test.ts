import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { isUnavailable, many, one, transaction } from '../src/index.ts';
import type { Pool, PoolOptions } from '../src/index.ts';
import { asAdmin, createTestDatabase, openPool } from './database.ts';
import type { LoggedPool, TestDatabase } from './database.ts';
import { startFlakyProxy } from './flaky-proxy.ts';
import { startTlsProxy } from './tls-proxy.ts';

let db: TestDatabase;
let url: string;
const pools: Pool[] = [];

beforeAll(async () => {
  db = await createTestDatabase();
  url = db.urlOf(db.services[0] ?? '');
});

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.end()));
});

afterAll(() => db.drop());

function open(connectionString: string, options: Partial<PoolOptions> = {}): LoggedPool {
  const opened = openPool(connectionString, options);
  pools.push(opened.pool);
  return opened;
}

const backendPid = { name: 'pid', text: 'SELECT pg_backend_pid() AS pid', values: [] };
const sleepFor = (seconds: number) => ({ name: 'sleep', text: 'SELECT pg_sleep($1)', values: [seconds] });
const terminate = (pid: number) =>
  asAdmin((admin) => admin.query('SELECT pg_terminate_backend($1, 5000)', [pid]));

async function refusalOf(work: Promise<unknown>): Promise<{ error: unknown; ms: number }> {
  const startedAt = performance.now();
  const error = await work.then(
    () => undefined,
    (refusal: unknown) => refusal,
  );
  return { error, ms: performance.now() - startedAt };
}

test('an idle connection that is ended is logged and replaced', async () => {
  const { pool, lines } = open(url, { max: 1 });
  const { pid } = await one<{ pid: number }>(pool, backendPid);
  await terminate(pid);
  for (let wait = 0; lines.length === 0 && wait < 100; wait += 1)
    await new Promise((resolve) => setTimeout(resolve, 20));
  expect(lines.join('')).toContain('database connection broke');
  expect(lines.join('')).not.toContain('not-a-secret');
  const next = await one<{ pid: number }>(pool, backendPid);
  expect(next.pid).not.toBe(pid);
});

test('a connection ended in mid-transaction fails it as unavailable and the pool goes on', async () => {
  const { pool } = open(url, { max: 1 });
  const { error } = await refusalOf(
    transaction(pool, async (tx) => {
      const { pid } = await one<{ pid: number }>(tx, backendPid);
      await terminate(pid);
      await new Promise((resolve) => setTimeout(resolve, 50));
      await one(tx, backendPid);
    }),
  );
  expect(isUnavailable(error)).toBe(true);
  await expect(one(pool, backendPid)).resolves.toBeDefined();
});

test('a statement ended by the server is unavailable (57P01)', async () => {
  const { pool } = open(url);
  const { pid } = await one<{ pid: number }>(pool, backendPid);
  const work = refusalOf(many(pool, sleepFor(20)));
  await new Promise((resolve) => setTimeout(resolve, 100));
  await terminate(pid);
  const { error } = await work;
  expect(error).toMatchObject({ code: '57P01' });
  expect(isUnavailable(error)).toBe(true);
});

test.each([
  ['a record that does not decrypt', Buffer.from(`1703030030${'ab'.repeat(48)}`, 'hex')],
  ['a record of no known type', Buffer.from(`9903030030${'ab'.repeat(48)}`, 'hex')],
])('TLS that breaks in mid-session is unavailability, and the pool goes on: %s', async (_, bytes) => {
  const proxy = await startTlsProxy(url);
  try {
    const { pool } = open(proxy.url, { max: 1 });
    await one(pool, backendPid);
    const work = refusalOf(many(pool, sleepFor(20)));
    await new Promise((resolve) => setTimeout(resolve, 100));
    proxy.inject(bytes);
    const { error } = await work;
    expect(error).toMatchObject({ code: expect.stringMatching(/^(?:ERR_SSL_|EPROTO)/) });
    expect(isUnavailable(error)).toBe(true);
    await expect(one(pool, backendPid)).resolves.toBeDefined();
  } finally {
    await pools.pop()?.end();
    await proxy.close();
  }
});

test('a statement over its timeout is cancelled, keeps the connection and does not count as an outage', async () => {
  const { pool, metrics } = open(url, { max: 1, statementTimeoutMs: 1_000 });
  const { pid } = await one<{ pid: number }>(pool, backendPid);
  const { error, ms } = await refusalOf(many(pool, sleepFor(20)));
  expect(error).toMatchObject({ code: '57014' });
  expect(isUnavailable(error)).toBe(true);
  expect(ms).toBeLessThan(10_000);
  expect(await one(pool, backendPid)).toEqual({ pid });
  expect((await metrics.registry.getSingleMetric('bv_db_unavailable_total')?.get())?.values).toEqual([]);
});

test('waiting for a connection of a full pool ends', async () => {
  const { pool } = open(url, { max: 1, connectionTimeoutMs: 2_000 });
  const busy = await pool.connect();
  const { error, ms } = await refusalOf(one(pool, backendPid));
  busy.release();
  expect(isUnavailable(error)).toBe(true);
  expect(ms).toBeLessThan(10_000);
  await expect(one(pool, backendPid)).resolves.toBeDefined();
});

test('nobody listens: refused at once', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  for (const host of ['127.0.0.1', 'localhost']) {
    const { pool } = open(`postgres://none:x@${host}:${port}/none`);
    const { error } = await refusalOf(one(pool, backendPid));
    expect(isUnavailable(error)).toBe(true);
  }
});

test('a server that accepts and says nothing is given up', async () => {
  const proxy = await startFlakyProxy(url);
  proxy.hang();
  const { pool } = open(proxy.url, { connectionTimeoutMs: 300 });
  const { error, ms } = await refusalOf(one(pool, backendPid));
  expect(isUnavailable(error)).toBe(true);
  expect(ms).toBeLessThan(10_000);
  await proxy.close();
});

test("a statement of the pool's own, too, ends when its server goes silent, and its error leads to who asked", async () => {
  const proxy = await startFlakyProxy(url);
  const { pool } = open(proxy.url, { max: 1, statementTimeoutMs: 1_000, connectionTimeoutMs: 2_000 });
  await pool.query('SELECT 1');
  proxy.hang();
  expect(isUnavailable((await refusalOf(pool.query('SELECT 1'))).error)).toBe(true);
  proxy.resume();
  const { error } = await refusalOf(one(pool, { name: 'nope', text: 'SELECT nope', values: [] }));
  expect((error as Error).stack).toContain('refusalOf');
  await pools.pop()?.end();
  await proxy.close();
});

test('a server that goes silent in mid-transaction is given up, and found again when it is back', async () => {
  const proxy = await startFlakyProxy(url);
  const { pool } = open(proxy.url, { max: 1, statementTimeoutMs: 1_000, connectionTimeoutMs: 2_000 });
  const { error, ms } = await refusalOf(
    transaction(pool, async (tx) => {
      await one(tx, backendPid);
      proxy.hang();
      await one(tx, backendPid);
    }),
  );
  expect(isUnavailable(error)).toBe(true);
  expect(ms).toBeLessThan(10_000);
  proxy.resume();
  await expect(one(pool, backendPid)).resolves.toBeDefined();
  await pools.pop()?.end();
  await proxy.close();
});

test('too many connections (53300) is unavailable', async () => {
  const role = `bv_${db.services[0]}`;
  await asAdmin((admin) => admin.query(`ALTER ROLE "${role}" CONNECTION LIMIT 0`));
  const { pool } = open(url);
  const { error } = await refusalOf(one(pool, backendPid));
  await asAdmin((admin) => admin.query(`ALTER ROLE "${role}" CONNECTION LIMIT -1`));
  expect(error).toMatchObject({ code: '53300' });
  expect(isUnavailable(error)).toBe(true);
});

test('a pool that is closed is unavailable, a bug is not', async () => {
  const closed = openPool(url).pool;
  await closed.end();
  expect(isUnavailable((await refusalOf(one(closed, backendPid))).error)).toBe(true);
  expect(
    isUnavailable(new Error('outer', { cause: Object.assign(new Error(), { code: 'ECONNRESET' }) })),
  ).toBe(true);
  const { pool } = open(url);
  const { error } = await refusalOf(many(pool, { name: 'bug', text: 'SELECT 1 / 0', values: [] }));
  expect(isUnavailable(error)).toBe(false);
  expect(isUnavailable(new TypeError('x is not a function'))).toBe(false);
  expect(isUnavailable('ECONNREFUSED')).toBe(false);
});
