import type { KeyUsage } from '@bv/contract';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, startRedis, retryIfStalled, type TestServer } from '@bv/testkit';
import { Redis } from 'ioredis';
import { withinMinute, type ClientResponse } from './client.ts';
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

const getPort = (index: number): number => gateway.gateways[index % 3]?.port ?? 0;

const sendMany = (count: number, key: string): Promise<ClientResponse[]> =>
  Promise.all(
    Array.from({ length: count }, (_, index) => gateway.call({ path: '/v1/orgs', key }, getPort(index))),
  );

const countStatus = (responses: ClientResponse[], status: number): number =>
  responses.filter((response) => response.status === status).length;

const getCodes = (responses: ClientResponse[]): string[] => [
  ...new Set(responses.map(({ body }) => body?.error?.code ?? 'ok')),
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

/** Waits until the gateways have connected six more times: each of them twice on average. */
async function untilReconnected(): Promise<void> {
  await withRedis(redis.url, async (client) => {
    const countConnections = async (): Promise<number> =>
      Number(/^total_connections_received:(\d+)/m.exec(await client.info('stats'))?.[1]);
    const before = await countConnections();
    await eventually(async () => expect(await countConnections()).toBeGreaterThanOrEqual(before + 6), {
      timeoutMs: 20_000,
    });
  });
}

/** Waits until all three gateways serve. Returns the number of served requests. */
async function untilServed(key: string): Promise<number> {
  let served = 0;
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const statuses = await Promise.all(
      [0, 1, 2].map(async (at) => (await gateway.call({ path: '/v1/orgs', key }, getPort(at))).status),
    );
    served += statuses.filter((status) => status === 200).length;
    if (statuses.every((status) => status === 200)) return served;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the gateways do not serve again');
}

/** Waits for the counters of a Redis that was emptied: what is refused meanwhile is not served. */
async function served(at: number, key: string): Promise<ClientResponse> {
  return eventually(
    async () => {
      const response = await gateway.call({ path: '/v1/orgs', key }, getPort(at));
      if (response.status === 503) throw new Error(`503 ${response.body.error.code}`);
      return response;
    },
    { timeoutMs: 20_000 },
  );
}

/** Rounds of 200 parallel requests from 10 s before a minute's edge on, the last of them wholly after it. */
async function sendAcrossMinuteEdge(key: string): Promise<{ edge: number; responses: ClientResponse[] }> {
  const edge = Math.ceil(Date.now() / 60_000 + 0.2) * 60_000;
  await new Promise((resolve) => setTimeout(resolve, edge - 10_000 - Date.now()));
  const responses: ClientResponse[] = [];
  const crossed = (): boolean =>
    responses.some(({ headers }) => Number(headers['x-ratelimit-reset']) > edge / 1_000);
  while (!crossed() && Date.now() < edge + 30_000) {
    responses.push(...(await sendMany(200, key)));
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  responses.push(...(await sendMany(200, key)));
  return { edge, responses };
}

describe('minute allowance over three gateways', () => {
  test('200 parallel requests on an allowance of 50, across a minute edge: exactly 50 a window', async () => {
    const most: number[] = [];
    const once = async (): Promise<void> => {
      const { key } = await gateway.customer({ per_minute: 50 });
      const { edge, responses } = await sendAcrossMinuteEdge(key);
      // A machine too busy to count in time refuses with 503; what Redis had charged by then is missing below.
      const counted = responses.filter(({ status }) => status !== 503);
      const lost = responses.length - counted.length;
      expect(lost).toBeLessThan(25);
      const windows = Map.groupBy(counted, ({ headers }) => String(headers['x-ratelimit-reset']));
      for (const window of windows.values()) most.push(countStatus(window, 200));
      expect([...windows.keys()].toSorted()).toEqual([`${edge / 1_000}`, `${edge / 1_000 + 60}`]);
      for (const window of windows.values()) {
        expect(countStatus(window, 200)).toBeLessThanOrEqual(50);
        expect(countStatus(window, 200)).toBeGreaterThanOrEqual(50 - lost);
        expect(countStatus(window, 429)).toBe(window.length - countStatus(window, 200));
        const remaining = window
          .filter(({ status }) => status === 200)
          .map(({ headers }) => Number(headers['x-ratelimit-remaining']));
        expect(new Set(remaining).size).toBe(remaining.length);
        for (const each of remaining) expect([each >= 0, each < 50]).toEqual([true, true]);
      }
    };
    await retryIfStalled(once, { stallMs: 200, attempts: 3 });
    // Of no machine, however busy.
    expect(Math.max(...most)).toBeLessThanOrEqual(50);
  }, 360_000);

  test('a Redis that loses its data in mid-minute: Remaining does not rise', async () => {
    await withinMinute(35_000);
    const { key } = await gateway.customer({ per_minute: 10 });
    for (let index = 0; index < 6; index += 1) expect((await served(0, key)).status).toBe(200);
    await redis.kill();
    await redis.start();
    const remaining: number[] = [];
    while (remaining.length < 4) {
      const { status, headers } = await served(0, key);
      expect(status).toBe(200);
      remaining.push(Number(headers['x-ratelimit-remaining']));
    }
    expect(remaining).toEqual([3, 2, 1, 0]);
    expect((await gateway.call({ path: '/v1/orgs', key })).status).toBe(429);
  });
});

const empty = (): Promise<void> => withRedis(redis.url, (client) => client.flushall());

describe('a Redis emptied in mid-minute under three gateways', () => {
  test('requests that one gateway has admitted count for the others, however the Redis was emptied', async () => {
    const restart = async (): Promise<void> => {
      await redis.kill();
      await redis.start();
    };
    for (const lose of [empty, restart]) {
      await withinMinute(20_000);
      const { key } = await gateway.customer({ per_minute: 30 });
      const { key: fresh } = await gateway.customer({ per_minute: 30 });
      for (let sent = 0; sent < 20; sent += 1) expect((await served(0, key)).status).toBe(200);
      await lose();
      // Another gateway that has never met the key.
      const responses: ClientResponse[] = [];
      for (let sent = 0; sent < 15; sent += 1) responses.push(await served(1 + (sent % 2), key));
      expect(countStatus(responses, 200)).toBe(10);
      expect(responses[0]?.headers['x-ratelimit-remaining']).toBe('9');
      expect((await served(2, fresh)).headers['x-ratelimit-remaining']).toBe('29');
    }
  }, 150_000);

  test('under load: never more than the allowance', async () => {
    await withinMinute(45_000);
    const { key } = await gateway.customer({ per_minute: 300 });
    const responses: ClientResponse[] = [];
    for (let round = 0; round < 3; round += 1) {
      const sending = sendMany(60, key);
      await empty();
      responses.push(...(await sending));
      await served(round, key).then((response) => responses.push(response));
    }
    for (let round = 0; round < 40 && countStatus(responses, 429) === 0; round += 1) {
      responses.push(...(await sendMany(20, key)));
    }
    for (const at of [0, 1, 2]) expect((await served(at, key)).status).toBe(429);
    expect(countStatus(responses, 200)).toBeLessThanOrEqual(300);
    // What was charged and then refused, because its response came too late, is all that may be missing.
    expect(countStatus(responses, 200)).toBeGreaterThan(300 - 200);
  }, 150_000);
});

describe('monthly quota over three gateways', () => {
  test('600 parallel requests on a quota of 150: exactly 150, the rest quota_exceeded', async () => {
    const { key, keyId } = await gateway.customer({ monthly_quota: 150 });
    const responses = [...(await sendMany(300, key)), ...(await sendMany(300, key))];
    // On a busy machine some may wait too long, for a block or for Redis; a client tries again.
    const later = responses.filter(({ status }) => status === 503);
    for (const _ of later) responses.push(await served(0, key));
    // What Redis charged, and what was refused because the response came too late, is all that may be missing.
    const admitted = countStatus(responses, 200);
    expect(admitted).toBeLessThanOrEqual(150);
    expect(admitted).toBeGreaterThanOrEqual(150 - Math.min(later.length, 10));
    expect(countStatus(responses, 429)).toBe(600 - admitted);
    expect(getCodes(responses)).toEqual(expect.arrayContaining(['ok', 'quota_exceeded']));
    // Every gateway writes what it has charged on its own, once a second.
    const row = await eventually(
      async () => {
        const { body } = await gateway.operator<KeyUsage[]>('GET', '/usage?limit=200');
        const found = body.data.find(({ key_id }) => key_id === keyId);
        expect(found).toMatchObject({ used: admitted, quota: 150, owner_kind: 'organisation' });
        return found;
      },
      { timeoutMs: 5_000 },
    );
    expect(row?.month).toBe(new Date().toISOString().slice(0, 7));
  });

  test('an emptied Redis never over-serves and costs at most one block each time', async () => {
    const { key } = await gateway.customer({ monthly_quota: 100 });
    let count = 0;
    const losses = 3;
    for (let round = 0; round < losses; round += 1) {
      count += countStatus(await sendMany(13, key), 200);
      await withRedis(redis.url, (client) => client.flushall());
      if ((await served(round, key)).status === 200) count += 1;
    }
    for (let round = 0; round < 20; round += 1) count += countStatus(await sendMany(10, key), 200);
    expect(count).toBeLessThanOrEqual(100);
    expect(count).toBeGreaterThanOrEqual(100 - losses * 10);
  });

  test('a used up quota is available again in the next month', async () => {
    const { key, keyId } = await gateway.customer({ monthly_quota: 3 });
    const ask = async (): Promise<string> =>
      (await gateway.call({ path: '/v1/orgs', key })).body?.error?.code ?? 'ok';
    const four = async (): Promise<string[]> => [await ask(), await ask(), await ask(), await ask()];
    expect(await four()).toEqual(['ok', 'ok', 'ok', 'quota_exceeded']);
    // What the stores hold at midnight of the first: everything is of the month before.
    const before = 202001;
    await withRedis(redis.url, (client) => client.hset(`rl:${keyId}`, 'month', before));
    await gateway.sql.query('update quota_leases set month = $2 where key_id = $1', [keyId, before]);
    expect(await four()).toEqual(['ok', 'ok', 'ok', 'quota_exceeded']);
  });

  test('a block that a restarted Redis has read from an old file is not granted again', async () => {
    const { key } = await gateway.customer({ monthly_quota: 100 });
    expect((await served(0, key)).status).toBe(200);
    await withRedis(redis.url, (client) => client.save());
    let count = 1;
    for (let sent = 0; sent < 9; sent += 1) count += (await served(0, key)).status === 200 ? 1 : 0;
    await redis.kill();
    await redis.start();
    for (let sent = 0; sent < 100; sent += 1) count += (await served(sent, key)).status === 200 ? 1 : 0;
    expect(count).toBeLessThanOrEqual(100);
    expect(count).toBeGreaterThanOrEqual(90);
  });

  test('without Postgres the leased block still serves, then rate_limit_unavailable', async () => {
    const { key, keyId } = await gateway.customer({ monthly_quota: 50 });
    await gateway.call({ path: '/v1/orgs', key });
    await gateway.sql.query(`alter table quota_leases add constraint locked check (false) not valid`);
    try {
      const responses: ClientResponse[] = [];
      for (let index = 0; index < 8; index += 1)
        responses.push(await gateway.call({ path: '/v1/orgs', key }));
      const [first] = responses;
      expect(first?.status).toBe(200);
      const refused = responses.at(-1);
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
  test('scripts that are flushed under load are sent again, without refusals or double counting', async () => {
    await withinMinute(10_000);
    const { key } = await gateway.customer({ per_minute: 1_000 });
    await sendMany(3, key);
    await withRedis(redis.url, (client) => client.script('FLUSH'));
    const responses = await sendMany(30, key);
    expect(getCodes(responses)).toEqual(['ok']);
    const remaining = responses.map(({ headers }) => Number(headers['x-ratelimit-remaining']));
    expect(remaining.toSorted((one, other) => other - one)).toEqual(
      Array.from({ length: 30 }, (_, index) => 996 - index),
    );
  });

  test('rate_limit_unavailable while it hangs; what timed out is not charged when it wakes', async () => {
    await withinMinute(10_000);
    const { key } = await gateway.customer({ per_minute: 1_000 });
    const before = await served(0, key);
    await redis.pause();
    const refused = await Promise.all(
      Array.from({ length: 20 }, () => gateway.call({ path: '/v1/orgs', key })),
    );
    await redis.resume();
    expect(getCodes(refused)).toEqual(['rate_limit_unavailable']);
    for (const { status, headers } of refused) {
      expect([status, headers['retry-after'], headers['x-ratelimit-limit']]).toEqual([503, '1', undefined]);
    }
    const meanwhile = await untilServed(key);
    const after = await served(0, key);
    // Between the two: what was served meanwhile, the last request itself, and at most a round charged too late.
    const charged =
      Number(before.headers['x-ratelimit-remaining']) - Number(after.headers['x-ratelimit-remaining']);
    expect(charged).toBeGreaterThan(meanwhile);
    expect(charged).toBeLessThanOrEqual(meanwhile + 1 + 3);
  });

  test('rate_limit_unavailable while it is stopped, served again when it is back', async () => {
    const { key } = await gateway.customer();
    await redis.stop();
    const responses = await sendMany(9, key);
    expect(getCodes(responses)).toEqual(['rate_limit_unavailable']);
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
    // Each gateway has connected again and has found the policy again.
    await untilReconnected();
    expect((await gateway.call({ path: '/v1/orgs', key })).body?.error?.code).toBe('rate_limit_unavailable');
    await configure('0', 'noeviction');
    await untilServed(key);
  });
});

describe('a Redis emptied together with a gateway', () => {
  test('a stopped gateway cannot restore its counts: nothing is counted until the minute ends', async () => {
    await withinMinute(20_000);
    const { key } = await gateway.customer({ per_minute: 30 });
    for (let sent = 0; sent < 20; sent += 1) expect((await served(0, key)).status).toBe(200);
    await gateway.gateways[0]?.kill();
    await empty();
    try {
      await withRedis(redis.url, async (client) => {
        // The two others have restored their counts, and the store is ready apart from the one that is missing.
        await eventually(async () => {
          const [awaited, opens] = await client.hmget('rl:store', 'awaited', 'opens');
          expect([awaited, Number(opens) < Date.now()]).toEqual(['1', true]);
        });
        for (const at of [1, 2, 1, 2]) {
          const { body } = await gateway.call({ path: '/v1/orgs', key }, getPort(at));
          expect(body.error.code).toBe('rate_limit_unavailable');
        }
        // The minute of its creation is over.
        await client.hincrby('rl:store', 'since', -1);
      });
      const response = await served(1, key);
      expect([response.status, response.headers['x-ratelimit-remaining']]).toEqual([200, '29']);
    } finally {
      await gateway.gateways[0]?.start();
    }
  }, 150_000);
});

test('in a batch, a request that cannot be counted fails alone', async () => {
  const [spoilt, sound] = [await gateway.customer(), await gateway.customer()];
  await withRedis(redis.url, (client) => client.set(`rl:${spoilt.keyId}`, 'no hash'));
  const responses = await Promise.all([sendMany(30, spoilt.key), sendMany(30, sound.key)]);
  expect(getCodes(responses[0])).toEqual(['rate_limit_unavailable']);
  expect(getCodes(responses[1])).toEqual(['ok']);
});

test('all gateways refuse an address that one refuses, and a valid key is not charged for it', async () => {
  const { key } = await gateway.customer({ per_minute: 10 });
  const headers = { 'x-forwarded-for': '10.255.0.1' };
  await withinMinute(10_000);
  const wrong = `bvk_live_${'0'.repeat(43)}`;
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const { status } = await gateway.call({ path: '/v1/orgs', key: wrong, headers }, getPort(0));
    expect(status).toBe(401);
  }
  for (const at of [1, 1, 2, 0]) {
    const refused = await gateway.call({ path: '/v1/orgs', key, headers }, getPort(at));
    expect(refused.body.error.code).toBe('rate_limited');
    expect(refused.headers).toMatchObject({ 'x-ratelimit-limit': '20', 'x-ratelimit-remaining': '0' });
    const left = 60 - (Math.floor(Date.now() / 1_000) % 60);
    expect(Math.abs(Number(refused.headers['retry-after']) - left)).toBeLessThanOrEqual(2);
  }
  const served = await gateway.call({ path: '/v1/orgs', key }, getPort(1));
  expect(served.headers).toMatchObject({ 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '9' });
});
