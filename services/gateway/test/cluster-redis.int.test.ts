import { eventually, startRedis, type TestServer } from '@bv/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { withinMinute } from './client.ts';
import { startCounting } from './counting.ts';
import { startGateway } from './gateway.ts';

const lastSlot = 16_383;
let shards: [TestServer, TestServer];
let clients: [Redis, Redis];

beforeAll(async () => {
  const settings = { 'cluster-enabled': 'yes', databases: '1' };
  shards = await Promise.all([startRedis(settings), startRedis(settings)]);
  clients = [new Redis(shards[0].url), new Redis(shards[1].url)];
});
afterAll(async () => {
  for (const client of clients) client.disconnect();
  await Promise.all(shards.map((shard) => shard.stop()));
});

const giveAllSlots = async (client: Redis): Promise<void> => {
  await client.call('CLUSTER', 'ADDSLOTSRANGE', 0, lastSlot);
  await expectUp(client);
};

const expectUp = async (client: Redis): Promise<void> => {
  await eventually(async () =>
    expect(String(await client.call('CLUSTER', 'INFO'))).toContain('cluster_state:ok'),
  );
};

test('cluster mode with one shard: all keys have one hash tag, and requests are counted', async () => {
  await giveAllSlots(clients[0]);
  const gateway = await startGateway({ redis: shards[0].url });
  try {
    const { key } = await gateway.customer({ per_minute: 10, monthly_quota: 100 });
    const other = await gateway.customer();
    await eventually(async () =>
      expect((await gateway.call({ path: '/v1/orgs', key: other.key })).status).toBe(200),
    );
    const ask = () => gateway.call({ path: '/v1/orgs', key });
    await withinMinute(10_000);
    const [first, second] = [await ask(), await ask()];
    expect(Number(first.headers['x-ratelimit-remaining'])).toBe(9);
    expect(Number(second.headers['x-ratelimit-remaining'])).toBe(8);
    await gateway.call({ path: '/v1/orgs', key: `bvk_live_${'0'.repeat(43)}` });
    const keys = await clients[0].keys('*');
    expect(keys.length).toBeGreaterThanOrEqual(3);
    expect(keys.filter((name) => !name.startsWith('{rl}:'))).toEqual([]);
  } finally {
    await gateway.stop();
  }
});

test('cluster mode: rights to the tagged keys are enough', async () => {
  const rights = ['on', '>secret', '+@all', '~{rl}:*'];
  await clients[0].call('ACL', 'SETUSER', 'gateway', 'reset', ...rights);
  const counting = startCounting(`redis://gateway:secret@127.0.0.1:${shards[0].port}`);
  try {
    await counting.untilCounted();
    expect(await clients[0].keys('{rl}:fa:192.0.2.1')).toHaveLength(1);
  } finally {
    await counting.stop();
  }
});

test('cluster mode with several shards: the shard that a MOVED names is followed, also when it changes', async () => {
  const counting = startCounting(shards[0].url);
  try {
    await counting.untilCounted();
    await clients[1].call('CLUSTER', 'MEET', '127.0.0.1', shards[0].port);
    await eventually(() => expectToKnow(clients[0], clients[1]));
    await eventually(() => expectToKnow(clients[1], clients[0]));
    await expectUp(clients[1]);
    await moveSlot(clients[0], clients[1]);
    expect(await counting.untilCounted()).toBeLessThan(5_000);
    await eventually(() => expect(counting.redis.options.port).toBe(shards[1].port));
    expect(await clients[1].keys('*')).toEqual(expect.arrayContaining(['{rl}:fa:192.0.2.1']));
    expect(counting.reasons()).toContainEqual(expect.stringMatching(/^MOVED /));
  } finally {
    await counting.stop();
  }
});

async function expectToKnow(one: Redis, other: Redis): Promise<void> {
  const id = String(await other.call('CLUSTER', 'MYID'));
  expect(String(await one.call('CLUSTER', 'NODES'))).toMatch(
    new RegExp(`^${id} (?!.*handshake).* connected`, 'm'),
  );
}

/** The slot of all counters, with its keys. */
async function moveSlot(from: Redis, to: Redis): Promise<void> {
  const slot = Number(await from.call('CLUSTER', 'KEYSLOT', '{rl}:'));
  const owner = String(await to.call('CLUSTER', 'MYID'));
  const source = String(await from.call('CLUSTER', 'MYID'));
  await to.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', source);
  await from.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', owner);
  for (;;) {
    const keys = (await from.call('CLUSTER', 'GETKEYSINSLOT', slot, 100)) as string[];
    if (keys.length === 0) break;
    await from.call('MIGRATE', '127.0.0.1', to.options.port ?? 0, '', 0, 5_000, 'REPLACE', 'KEYS', ...keys);
  }
  await to.call('CLUSTER', 'SETSLOT', slot, 'NODE', owner);
  await from.call('CLUSTER', 'SETSLOT', slot, 'NODE', owner);
}
