import { eventually, startRedis, type TestServer } from '@bv/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { startCounting, type Counting } from './counting.ts';
import { startSwitchProxy, type SwitchProxy } from './switch-proxy.ts';

let servers: [TestServer, TestServer];
let clients: [Redis, Redis];
let proxy: SwitchProxy;
let counting: Counting;

const recoveryMs = 5_000;

beforeAll(async () => {
  servers = await Promise.all([startRedis(), startRedis()]);
  clients = [new Redis(servers[0].url), new Redis(servers[1].url)];
});
beforeEach(async () => {
  for (const client of clients) {
    await client.call('REPLICAOF', 'NO', 'ONE');
    await client.config('SET', 'min-replicas-to-write', '0', 'replica-serve-stale-data', 'yes');
    await client.flushall();
  }
  proxy = await startSwitchProxy(servers[0].port);
  counting = startCounting(`redis://127.0.0.1:${proxy.port}`);
  await counting.untilCounted();
});
afterEach(async () => {
  await counting.stop();
  await proxy.close();
});
afterAll(async () => {
  for (const client of clients) client.disconnect();
  await Promise.all(servers.map((server) => server.stop()));
});

const replicaOf = (client: Redis, { port }: { port: number }): Promise<unknown> =>
  client.call('REPLICAOF', '127.0.0.1', port);
/** Nothing listens there: its replica never has a primary. */
const nowhere = { port: 1 };

/** How a server gets into a state in which it returns the error. */
const states: [code: string, make: (client: Redis) => Promise<unknown>][] = [
  ['READONLY', (client) => replicaOf(client, nowhere)],
  [
    'MASTERDOWN',
    async (client) => {
      await client.config('SET', 'replica-serve-stale-data', 'no');
      await replicaOf(client, nowhere);
    },
  ],
  ['NOREPLICAS', (client) => client.config('SET', 'min-replicas-to-write', '1')],
];

describe('the gateway reconnects when Redis replies but cannot count', () => {
  test.each(states)('%s', async (code, make) => {
    proxy.leadTo(servers[1].port);
    await make(clients[0]);
    // Without any request: the gateway detects it by its own writes.
    await eventually(() => expect(counting.reasons()).toEqual([expect.stringContaining(code)]));
    expect(await counting.untilCounted()).toBeLessThan(recoveryMs);
    expect(await clients[1].exists('fa:192.0.2.1')).toBe(1);
    await eventually(() => expect(counting.lines.at(-1)?.['msg']).toBe('Redis can be used again'));
  });

  test('also where a script catches the error and returns it in a good reply', async () => {
    await counting.stop();
    // Without the writes of the store the scripts are the only ones to meet the error.
    counting = startCounting(`redis://127.0.0.1:${proxy.port}`, { withRecovery: false });
    await counting.untilCounted();
    proxy.leadTo(servers[1].port);
    await replicaOf(clients[0], nowhere);
    expect(await counting.refusal()).toMatch(/^.+ <- READONLY /);
    expect(await counting.untilCounted()).toBeLessThan(recoveryMs);
    expect(await clients[1].exists('fa:192.0.2.1')).toBe(1);
  });
});

test('reconnects to a read-only Redis with backoff, logs the reason once, and counts soon after it is writable', async () => {
  await replicaOf(clients[0], nowhere);
  const before = proxy.connections();
  const startedAt = performance.now();
  await eventually(() => expect(proxy.connections() - before).toBeGreaterThanOrEqual(6), {
    timeoutMs: 30_000,
  });
  // At least 50, 100, 200, 400 and 800 ms apart.
  expect(performance.now() - startedAt).toBeGreaterThan(1_500);
  expect(counting.reasons()).toEqual([expect.stringMatching(/^READONLY /)]);
  expect(await counting.refusal()).toMatch(/^.+ <- .+ <- READONLY /);
  await clients[0].call('REPLICAOF', 'NO', 'ONE');
  expect(await counting.untilCounted()).toBeLessThan(recoveryMs);
});

test('the gateway reconnects while Redis loads its data after a restart', async () => {
  // Half a millisecond a key.
  const slow = await startRedis({
    appendonly: 'yes',
    'key-load-delay': '500',
    'loading-process-events-interval-bytes': '1024',
  });
  const client = new Redis(slow.url);
  client.on('error', () => undefined);
  await client.eval("for i = 1, 20000 do redis.call('SET', 'x' .. i, i) end", 0);
  await slow.kill();
  proxy.leadTo(slow.port);
  const started = slow.start();
  try {
    await clients[0].call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await eventually(() => expect(counting.reasons().at(-1)).toMatch(/^LOADING /), { timeoutMs: 10_000 });
    proxy.leadTo(servers[1].port);
    expect(await counting.untilCounted()).toBeLessThan(recoveryMs);
    expect(await clients[1].exists('fa:192.0.2.1')).toBe(1);
  } finally {
    client.disconnect();
    await started;
    await slow.stop();
  }
});

test('a full Redis keeps its connection, and counts when there is room', async () => {
  const before = proxy.connections();
  await clients[0].config('SET', 'maxmemory', '1');
  try {
    await eventually(async () => expect(await counting.refusal()).toMatch(/OOM/));
  } finally {
    await clients[0].config('SET', 'maxmemory', '0');
  }
  expect(await counting.untilCounted()).toBeLessThan(recoveryMs);
  expect(proxy.connections()).toBe(before);
  expect(counting.reasons()).toEqual([expect.stringMatching(/^OOM /)]);
});

test('a Redis that may evict counters is counted with once its policy is right, without a restart', async () => {
  await clients[0].config('SET', 'maxmemory', '100mb', 'maxmemory-policy', 'allkeys-lru');
  try {
    await clients[0].call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await eventually(async () => expect(await counting.refusal()).toMatch(/may evict counters.*allkeys-lru/));
  } finally {
    await clients[0].config('SET', 'maxmemory', '0', 'maxmemory-policy', 'noeviction');
  }
  expect(await counting.untilCounted()).toBeLessThan(recoveryMs);
});
