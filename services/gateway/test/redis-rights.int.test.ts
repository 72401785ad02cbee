import { eventually, startRedis, type TestServer } from '@bv/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { startCounting, type Counting } from './counting.ts';

const everything = ['on', '>secret', '+@all'];
const keys = ['fa:192.0.2.1', 'rl:store'];

let server: TestServer;
let cluster: TestServer;
let admin: Redis;
const started: Counting[] = [];

beforeAll(async () => {
  [server, cluster] = await Promise.all([
    startRedis(),
    startRedis({ 'cluster-enabled': 'yes', databases: '1' }),
  ]);
  admin = new Redis(server.url);
});
beforeEach(() => admin.flushall());
afterEach(async () => {
  await Promise.all(started.splice(0).map((counting) => counting.stop()));
});
afterAll(async () => {
  admin.disconnect();
  await Promise.all([server.stop(), cluster.stop()]);
});

const setUser = (client: Redis, ...rules: string[]): Promise<unknown> =>
  client.call('ACL', 'SETUSER', 'gateway', 'reset', ...rules);
const start = ({ port }: TestServer): Counting => {
  const counting = startCounting(`redis://gateway:secret@127.0.0.1:${port}`);
  started.push(counting);
  return counting;
};

test.each([
  ['no right to run scripts', ['~*', '-eval']],
  ['no right to one of the keys', ['~rl:*']],
  ['no right to any key', []],
  ['rights to the keys of cluster mode alone', ['~{rl}:*']],
])(
  '%s: nothing is counted, and once it is granted all gateways count under the same keys',
  async (_, rules) => {
    await setUser(admin, ...everything, ...rules);
    const late = start(server);
    await eventually(async () => expect(await late.refusal()).toMatch(/Redis is not usable <- NOPERM /));
    expect(await admin.keys('*')).toEqual([]);
    await setUser(admin, ...everything, '~rl:*', '~fa:*');
    expect(await late.untilCounted()).toBeLessThan(5_000);
    const other = start(server);
    await other.untilCounted();
    const count = await late.count();
    expect(await other.count()).toBe(count + 1);
    expect((await admin.keys('*')).toSorted()).toEqual(keys);
  },
);

test('cluster mode: rights to the tagged keys are enough', async () => {
  const client = new Redis(cluster.url);
  await client.call('CLUSTER', 'ADDSLOTSRANGE', 0, 16_383);
  await eventually(async () =>
    expect(String(await client.call('CLUSTER', 'INFO'))).toContain('cluster_state:ok'),
  );
  await setUser(client, ...everything, '~{rl}:*');
  try {
    await start(cluster).untilCounted();
    expect((await client.keys('*')).toSorted()).toEqual(['{rl}:fa:192.0.2.1', '{rl}:rl:store']);
  } finally {
    client.disconnect();
  }
});
