import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import { eventually, freePort, startRedis, type TestServer } from '@bv/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { address, startCounting, type Counting } from './counting.ts';
import { startSwitchProxy, type SwitchProxy } from './switch-proxy.ts';

const recoveryMs = 15_000;
const password = 'aBjR684eranIt5Ch13YS/7aoUFioc4N5CpAzCaJdAF4g=';
const encoded = encodeURIComponent(password);
/** Nothing listens there: its replica never has a primary. */
const nowhere = 1;
const keys = [`fa:${address}`];

let servers: [TestServer, TestServer];
let clients: [Redis, Redis];
let proxy: SwitchProxy;
let counting: Counting;

beforeAll(async () => {
  servers = await Promise.all([startRedis(), startRedis()]);
  clients = [new Redis(servers[0].url), new Redis(servers[1].url)];
});
beforeEach(async () => {
  for (const client of clients) {
    await repair(client);
    await client.flushall();
  }
  proxy = await startSwitchProxy(servers[0].port);
  counting = startCounting(`redis://gateway:${encoded}@127.0.0.1:${proxy.port}`);
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

async function repair(client: Redis): Promise<void> {
  await client.call('REPLICAOF', 'NO', 'ONE');
  const settings = { 'min-replicas-to-write': 0, 'replica-serve-stale-data': 'yes', maxmemory: 0 };
  await client.config('SET', ...Object.entries(settings).flat(), 'maxmemory-policy', 'noeviction');
  await setRights(client, '~rl:*', '~fa:*');
}

const setRights = (client: Redis, ...rules: string[]): Promise<unknown> =>
  client.call('ACL', 'SETUSER', 'gateway', 'reset', 'on', `>${password}`, '+@all', ...rules);
const replicaOf = (client: Redis, port: number): Promise<unknown> =>
  client.call('REPLICAOF', '127.0.0.1', port);
const closeConnections = (client: Redis): Promise<unknown> =>
  client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');

/** How a server that is in use gets into a state in which it cannot count. */
const states: [reason: string, state: string, make: (client: Redis) => Promise<unknown>][] = [
  ['READONLY', 'is demoted', (client) => replicaOf(client, nowhere)],
  [
    'MASTERDOWN',
    'has no primary',
    async (client) => {
      await client.config('SET', 'replica-serve-stale-data', 'no');
      await replicaOf(client, nowhere);
    },
  ],
  ['NOREPLICAS', 'has no replica', (client) => client.config('SET', 'min-replicas-to-write', '1')],
  ['OOM', 'is full', (client) => client.config('SET', 'maxmemory', '1')],
  ['NOPERM', 'forbids scripts', (client) => setRights(client, '~*', '-eval', '-evalsha')],
  ['NOPERM', 'forbids INFO', (client) => setRights(client, '~*', '-info')],
  ['NOPERM', 'forbids one of the keys', (client) => setRights(client, '~rl:*')],
  ['NOPERM', 'forbids all keys', (client) => setRights(client)],
  ['NOPERM', 'allows the keys of cluster mode', (client) => setRights(client, '~{rl}:*')],
  [
    'Redis may evict counters: its maxmemory-policy is allkeys-lru',
    'may evict counters',
    (client) => client.config('SET', 'maxmemory', '100mb', 'maxmemory-policy', 'allkeys-lru'),
  ],
];

test.each(states)(
  '%s: while Redis %s requests are refused with the reason, which is logged once',
  async (reason, _state, make) => {
    await make(clients[0]);
    // Some states are found by a new connection only.
    await closeConnections(clients[0]);
    await eventually(async () => expect(await counting.refusal()).toContain(` <- ${reason}`));
    await expect(counting.count()).rejects.toMatchObject({ code: 'rate_limit_unavailable' });
    expect(counting.reasons().filter((each) => !/closed/.test(each))).toEqual([
      expect.stringContaining(reason),
    ]);
    await repair(clients[0]);
    expect(await counting.untilCounted()).toBeLessThan(recoveryMs);
    expect(await clients[0].keys('*')).toEqual(keys);
    expect(counting.lines.at(-1)?.['msg']).toBe('Redis can be used again');
  },
);

test.each(['rl:store', 'rl:a-key', 'fa:192.0.2.2'])(
  'a refusal names %s when its value is of another type',
  async (key) => {
    await clients[0].set(key, 'not a hash');
    await expect(counting.charge('a-key', 10)).rejects.toMatchObject({
      code: 'rate_limit_unavailable',
      cause: { message: expect.stringContaining(key) },
    });
  },
);

describe('another server takes over behind the same address', () => {
  test('a demoted server is left as soon as it refuses a charge', async () => {
    proxy.leadTo(servers[1].port);
    await replicaOf(clients[0], nowhere);
    expect(await counting.refusal()).toMatch(/^.+ <- READONLY /);
    expect(await counting.untilCounted()).toBeLessThan(recoveryMs);
    expect(await clients[1].exists(...keys)).toBe(1);
  });

  test('a server that loads its data after a restart is left', async () => {
    // Half a millisecond a key.
    const slow = await startRedis({
      appendonly: 'yes',
      'key-load-delay': '500',
      'loading-process-events-interval-bytes': '1024',
    });
    const client = new Redis(slow.url);
    client.on('error', () => undefined);
    // Without a user, which would be refused before the state of the server shows.
    await counting.stop();
    counting = startCounting(`redis://127.0.0.1:${proxy.port}`);
    await counting.untilCounted();
    await client.eval("for i = 1, 20000 do redis.call('SET', 'x' .. i, i) end", 0);
    await slow.kill();
    const started = slow.start();
    try {
      proxy.leadTo(slow.port);
      await closeConnections(clients[0]);
      await eventually(() => expect(counting.reasons().at(-1)).toMatch(/^LOADING /), {
        timeoutMs: 10_000,
      });
      proxy.leadTo(servers[1].port);
      expect(await counting.untilCounted()).toBeLessThan(recoveryMs);
      expect(await clients[1].exists(...keys)).toBe(1);
    } finally {
      client.disconnect();
      await started;
      await slow.stop();
    }
  });
});

test('connections to a server that cannot count have a growing delay', async () => {
  await replicaOf(clients[0], nowhere);
  await counting.refusal();
  const before = proxy.connections();
  const startedAt = performance.now();
  await eventually(() => expect(proxy.connections() - before).toBeGreaterThanOrEqual(6), {
    timeoutMs: 30_000,
  });
  // At least 50, 100, 200, 400 and 800 ms apart.
  expect(performance.now() - startedAt).toBeGreaterThan(1_500);
});

test('a full Redis keeps its connection', async () => {
  const before = proxy.connections();
  await clients[0].config('SET', 'maxmemory', '1');
  expect(await counting.refusal()).toMatch(/OOM/);
  await repair(clients[0]);
  expect(await counting.untilCounted()).toBeLessThan(recoveryMs);
  expect(proxy.connections()).toBe(before);
});

describe('a wrong address or setting is logged once, is the cause of refusals and shows no secret', () => {
  let tls: Server;
  let emptyCluster: TestServer;
  let full: TestServer;
  let held: Socket;

  beforeAll(async () => {
    emptyCluster = await startRedis({ 'cluster-enabled': 'yes' });
    full = await startRedis({ maxclients: '1' });
    held = connect(full.port, '127.0.0.1');
    await once(held, 'connect');
    tls = createServer(selfSigned());
    tls.on('tlsClientError', () => undefined);
    tls.listen(0, '127.0.0.1');
    await once(tls, 'listening');
  });
  afterAll(async () => {
    tls.close();
    held.destroy();
    await Promise.all([emptyCluster.stop(), full.stop()]);
  });

  const tlsPort = (): number => (tls.address() as AddressInfo).port;

  test.each<[name: string, url: () => string | Promise<string>, reason: RegExp]>([
    ['no server', async () => `redis://127.0.0.1:${await freePort()}`, /^connect ECONNREFUSED 127\.0\.0\.1:/],
    ['no host', () => 'redis://redis.invalid', /^getaddrinfo (ENOTFOUND|EAI_AGAIN) redis\.invalid/],
    ['wrong password', () => `redis://gateway:x${encoded}@127.0.0.1:${servers[0].port}`, /^WRONGPASS /],
    ['unknown authority', () => `rediss://:${encoded}@127.0.0.1:${tlsPort()}`, /self-signed certificate/],
    ['plain to a TLS port', () => `redis://:${encoded}@127.0.0.1:${tlsPort()}`, /TLS|Protocol error/],
    [
      'TLS to a plain port',
      () => `rediss://:${encoded}@127.0.0.1:${servers[0].port}`,
      /ETIMEDOUT|closed|SSL|TLS/,
    ],
    ['no free connection', () => `redis://127.0.0.1:${full.port}`, /^ERR max number of clients/],
    [
      'no free connection for a login',
      () => `redis://gateway:${encoded}@127.0.0.1:${full.port}`,
      /^ERR max number of clients/,
    ],
    ['cluster without slots', () => `redis://127.0.0.1:${emptyCluster.port}`, /^CLUSTERDOWN /],
  ])('%s', async (_name, url, reason) => {
    const wrong = startCounting(await url());
    try {
      await eventually(() => expect(wrong.reasons()).toContainEqual(expect.stringMatching(reason)));
      await eventually(async () => expect(await wrong.refusal()).toContain(wrong.reasons()[0]));
      // Several attempts later it is still the same line.
      await eventually(() => expect(wrong.attempts()).toBeGreaterThan(3));
      expect(wrong.reasons()).toHaveLength(1);
      expect(JSON.stringify(wrong.lines) + (await wrong.refusal())).not.toMatch(/aBjR684eran|7aoUFioc4N5/);
    } finally {
      await wrong.stop();
    }
  });
});

function selfSigned(): { key: Buffer; cert: Buffer } {
  const dir = mkdtempSync(join(tmpdir(), 'bv-self-signed-'));
  const words = 'req -x509 -nodes -newkey rsa:2048 -days 2 -subj /CN=localhost -keyout key.pem -out cert.pem';
  execFileSync('openssl', words.split(' '), { cwd: dir, stdio: 'pipe' });
  const made = { key: readFileSync(join(dir, 'key.pem')), cert: readFileSync(join(dir, 'cert.pem')) };
  rmSync(dir, { recursive: true });
  return made;
}
