import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startRedis, type TestServer } from '@bv/testkit';
import { Redis } from 'ioredis';
import { withinMinute, type Answer } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';

let redis: TestServer;
let gateway: TestGateway;

beforeAll(async () => {
  redis = await startRedis();
  gateway = await startGateway({
    count: 3,
    processes: true,
    redis: redis.url,
    env: { REDIS_TIMEOUT_MS: '1000' },
  });
});
afterAll(async () => {
  await gateway.stop();
  await redis.stop();
});

const portOf = (index: number): number => gateway.gateways[index % 3]?.port ?? 0;

const callMany = (count: number, key: string): Promise<Answer[]> =>
  Promise.all(
    Array.from({ length: count }, (_, index) => gateway.call({ path: '/v1/orgs', key }, portOf(index))),
  );

const countOf = (answers: Answer[], status: number): number =>
  answers.filter((answer) => answer.status === status).length;

const codesOf = (answers: Answer[]): string[] => [
  ...new Set(answers.map(({ body }) => body?.error?.code ?? 'ok')),
];

async function withRedis(url: string, use: (client: Redis) => Promise<unknown>): Promise<void> {
  const client = new Redis(url);
  await use(client);
  client.disconnect();
}

/** The gateways look at the policy whenever they connect. */
const configure = (maxmemory: string, policy: string): Promise<void> =>
  withRedis(redis.url, async (client) => {
    await client.config('SET', 'maxmemory', maxmemory, 'maxmemory-policy', policy);
    await client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
  });

async function untilServed(key: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const statuses = await Promise.all(
      [0, 1, 2].map(async (at) => (await gateway.call({ path: '/v1/orgs', key }, portOf(at))).status),
    );
    if (statuses.every((status) => status === 200)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the gateways do not serve again');
}

describe('minute allowance over three gateways', () => {
  test('200 parallel requests on an allowance of 50, across a minute edge: exactly 50 a window', async () => {
    const { key } = await gateway.customer({ per_minute: 50 });
    const untilEdgeMs = 60_000 - (Date.now() % 60_000);
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, untilEdgeMs - 1_000)));
    const answers: Answer[] = [];
    for (let batch = 0; batch < 12; batch += 1) {
      answers.push(...(await callMany(200, key)));
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    const windows = Map.groupBy(answers, ({ headers }) => String(headers['x-ratelimit-reset']));
    expect(windows.size).toBe(2);
    for (const window of windows.values()) {
      expect(countOf(window, 200)).toBe(50);
      expect(countOf(window, 429)).toBe(window.length - 50);
      const remaining = window
        .filter(({ status }) => status === 200)
        .map(({ headers }) => Number(headers['x-ratelimit-remaining']));
      expect(remaining.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index));
    }
  }, 150_000);

  test('a Redis that loses its data in mid-minute: Remaining does not rise', async () => {
    await withinMinute(10_000);
    const { key } = await gateway.customer({ per_minute: 10 });
    for (let index = 0; index < 6; index += 1) await gateway.call({ path: '/v1/orgs', key });
    await redis.kill();
    await redis.start();
    const remaining: number[] = [];
    let served = 6;
    for (let index = 0; index < 60 && served < 10; index += 1) {
      const { status, headers } = await gateway.call({ path: '/v1/orgs', key });
      if (status === 200) {
        served += 1;
        remaining.push(Number(headers['x-ratelimit-remaining']));
      } else {
        expect(status).toBe(503);
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    }
    expect(remaining).toEqual([3, 2, 1, 0]);
    expect((await gateway.call({ path: '/v1/orgs', key })).status).toBe(429);
  });
});

describe('monthly quota over three gateways', () => {
  test('600 parallel requests on a quota of 150: exactly 150, the rest quota_exceeded', async () => {
    const { key, keyId } = await gateway.customer({ monthly_quota: 150 });
    const answers = [...(await callMany(300, key)), ...(await callMany(300, key))];
    // On a busy machine some may wait too long for a block; they were not charged, and a client tries again.
    const later = answers.filter(({ status }) => status === 503);
    for (const _ of later) answers.push(await gateway.call({ path: '/v1/orgs', key }));
    expect(countOf(answers, 200)).toBe(150);
    expect(countOf(answers, 429)).toBe(450);
    expect(codesOf(answers)).toEqual(expect.arrayContaining(['ok', 'quota_exceeded']));
    // Every gateway writes what it has charged on its own; within the flush interval the figure is whole.
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    const { body } = await gateway.operator('GET', '/usage?limit=200');
    const row = body.data.find(({ key_id }: { key_id: string }) => key_id === keyId);
    expect(row).toMatchObject({ used: 150, quota: 150, owner_kind: 'organisation' });
    expect(row.month).toBe(new Date().toISOString().slice(0, 7));
  });

  test('an emptied Redis never over-serves and costs at most one block each time', async () => {
    const { key } = await gateway.customer({ monthly_quota: 100 });
    let served = 0;
    const losses = 3;
    for (let round = 0; round < losses; round += 1) {
      served += countOf(await callMany(13, key), 200);
      await withRedis(redis.url, (client) => client.flushall());
    }
    for (let round = 0; round < 20; round += 1) served += countOf(await callMany(10, key), 200);
    expect(served).toBeLessThanOrEqual(100);
    expect(served).toBeGreaterThanOrEqual(100 - losses * 10);
  });

  test('with Postgres away the leased block still serves, then rate_limit_unavailable', async () => {
    const { key, keyId } = await gateway.customer({ monthly_quota: 50 });
    await gateway.call({ path: '/v1/orgs', key });
    await gateway.sql.query(`alter table quota_leases add constraint locked check (false) not valid`);
    try {
      const answers: Answer[] = [];
      for (let index = 0; index < 8; index += 1) answers.push(await gateway.call({ path: '/v1/orgs', key }));
      const [first] = answers;
      expect(first?.status).toBe(200);
      const refused = answers.at(-1);
      expect([refused?.status, refused?.body.error.code, refused?.headers['retry-after']]).toEqual([
        503,
        'rate_limit_unavailable',
        '1',
      ]);
    } finally {
      await gateway.sql.query('alter table quota_leases drop constraint locked');
    }
    const { rows } = await gateway.sql.query('select leased from quota_leases where key_id = $1', [keyId]);
    expect(rows).toEqual([{ leased: '5' }]);
  });
});

describe('Redis that cannot count', () => {
  test('scripts flushed in mid-traffic are sent again, and nobody is refused or counted twice for it', async () => {
    await withinMinute(10_000);
    const { key } = await gateway.customer({ per_minute: 1_000 });
    await callMany(3, key);
    await withRedis(redis.url, (client) => client.script('FLUSH'));
    const answers = await callMany(30, key);
    expect(codesOf(answers)).toEqual(['ok']);
    const remaining = answers.map(({ headers }) => Number(headers['x-ratelimit-remaining']));
    expect(remaining.toSorted((one, other) => other - one)).toEqual(
      Array.from({ length: 30 }, (_, index) => 996 - index),
    );
  });

  test('rate_limit_unavailable while it hangs; what timed out is not charged when it wakes', async () => {
    await withinMinute(10_000);
    const { key } = await gateway.customer({ per_minute: 1_000 });
    const before = await gateway.call({ path: '/v1/orgs', key });
    await redis.pause();
    const refused = await Promise.all(
      Array.from({ length: 20 }, () => gateway.call({ path: '/v1/orgs', key })),
    );
    await redis.resume();
    expect(codesOf(refused)).toEqual(['rate_limit_unavailable']);
    for (const { status, headers } of refused) {
      expect([status, headers['retry-after'], headers['x-ratelimit-limit']]).toEqual([503, '1', undefined]);
    }
    await untilServed(key);
    const after = await gateway.call({ path: '/v1/orgs', key });
    // Between the two: the gateways' attempts of `untilServed` alone.
    const charged =
      Number(before.headers['x-ratelimit-remaining']) - Number(after.headers['x-ratelimit-remaining']);
    expect(charged).toBeLessThan(20);
  });

  test('rate_limit_unavailable while it is stopped, served again when it is back', async () => {
    const { key } = await gateway.customer();
    await redis.stop();
    const answers = await callMany(9, key);
    expect(codesOf(answers)).toEqual(['rate_limit_unavailable']);
    await redis.start();
    await untilServed(key);
  });

  test('rate_limit_unavailable from a Redis that may evict counters', async () => {
    const { key } = await gateway.customer();
    await configure('100mb', 'allkeys-lru');
    let code = 'ok';
    for (let attempt = 0; attempt < 100 && code !== 'rate_limit_unavailable'; attempt += 1) {
      code = (await gateway.call({ path: '/v1/orgs', key })).body?.error?.code ?? 'ok';
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await gateway.call({ path: '/v1/orgs', key })).body?.error?.code).toBe('rate_limit_unavailable');
    await configure('0', 'noeviction');
    await untilServed(key);
  });
});
