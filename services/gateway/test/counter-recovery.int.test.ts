import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { createLogger } from '@bv/telemetry';
import { eventually, startRedis, type TestServer } from '@bv/testkit';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { createObservedWindows } from '../src/rate-limiting/allowance.ts';
import { startCounterRecovery } from '../src/rate-limiting/counter-recovery.ts';
import { connectCounterRedis } from '../src/rate-limiting/redis-client.ts';
import { scripts, storeName } from '../src/rate-limiting/scripts.ts';
import { withinMinute } from './client.ts';
import { startGateway } from './gateway.ts';

const log = createLogger({ service: 'gateway', level: 'silent' });
let server: TestServer;
let redis: Redis;

beforeAll(async () => {
  server = await startRedis();
  redis = new Redis(server.url);
});
beforeEach(async () => {
  await redis.flushall();
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

const register = (
  gateway: string,
  mayHaveCounted: 0 | 1,
  membersAgeMs: number,
  ...others: string[]
): Promise<unknown> =>
  redis.eval(
    scripts.registerGateway.text,
    1,
    storeName,
    'run',
    gateway,
    mayHaveCounted,
    membersAgeMs,
    ...others,
  );

test('a new store waits for gateways that may have counted in the minute, and for no others', async () => {
  await withinMinute(10_000);
  // One that has just started, and one with a list of members that is older than a minute.
  await register('first', 0, 0);
  await register('second', 0, 70_000, 'long-gone');
  expect(await redis.hget(storeName, 'awaited')).toBe('0');
  await register('third', 1, 0, 'fourth');
  expect(await redis.hget(storeName, 'awaited')).toBe('2');
  expect(await redis.hkeys(storeName)).toEqual(expect.arrayContaining(['w:third', 'w:fourth', 'p:first']));
});

test('a gateway whose connection ends while it reads the run id does not replace the store', async () => {
  const { hostname, port } = new URL(server.url);
  const sockets = new Set<Socket>();
  let cut = 0;
  const proxy = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    sockets.add(client).add(upstream);
    const end = (): void => void [client.destroy(), upstream.destroy()];
    client.on('error', end).on('close', end);
    upstream.on('error', end).on('close', end);
    upstream.pipe(client);
    client.on('data', (chunk) => {
      if (cut === 0 && /\binfo\r\n\$6\r\nserver\r\n/i.test(chunk.toString('latin1'))) {
        cut += 1;
        end();
      } else upstream.write(chunk);
    });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const url = `redis://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const connection = connectCounterRedis({ url, allowEviction: false, log });
  const recovery = startCounterRecovery(connection, { observed: createObservedWindows(), log });
  try {
    await eventually(async () => expect(recovery.isRegistered()).toBe(true), { timeoutMs: 20_000 });
    const run = /^run_id:(\w+)/m.exec(await redis.info('server'))?.[1];
    expect([cut, await redis.hget(storeName, 'run')]).toEqual([1, run]);
  } finally {
    await recovery.stop();
    await connection.close();
    for (const socket of sockets) socket.destroy();
    proxy.close();
  }
});

/** Time of the last heartbeat of the only gateway. */
async function readHeartbeat(): Promise<string | undefined> {
  const fields = await redis.hgetall(storeName);
  return Object.entries(fields).find(([name]) => name.startsWith('p:'))?.[1];
}

test('requests are counted after the clock of Redis was set back by hours', async () => {
  const gateway = await startGateway({ redis: server.url });
  try {
    const { key } = await gateway.customer();
    await eventually(async () => expect((await gateway.call({ path: '/v1/orgs', key })).status).toBe(200), {
      timeoutMs: 20_000,
    });
    const later = Date.now() + 3 * 3_600_000;
    await redis.hset(storeName, { since: Math.floor(later / 60_000), opens: later, awaited: 1 });
    const before = await readHeartbeat();
    await eventually(async () => expect(await readHeartbeat()).not.toBe(before));
    expect((await gateway.call({ path: '/v1/orgs', key })).status).toBe(200);
  } finally {
    await gateway.stop();
  }
});
