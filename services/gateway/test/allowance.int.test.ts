import type { KeyUsage } from '@bv/contract';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@bv/testkit';
import { withinMinute, type ClientResponse } from './client.ts';

import { countStatus, getCodes, ThreeGateways } from './three-gateways.ts';

let three: ThreeGateways;
let redis: ThreeGateways['redis'];
let gateway: ThreeGateways['gateway'];

beforeAll(async () => {
  three = await ThreeGateways.start();
  ({ redis, gateway } = three);
});
afterAll(() => three.stop());

test('200 parallel requests on a minute allowance of 50: exactly 50, each with its own Remaining', async () => {
  await withinMinute(20_000);
  const { key } = await gateway.customer({ per_minute: 50 });
  const responses = await three.sendMany(200, key);
  // A busy machine refuses with 503 what it cannot count in time, although Redis may have charged it.
  const lost = countStatus(responses, 503);
  expect(lost).toBeLessThan(25);
  const admitted = responses.filter(({ status }) => status === 200);
  expect(admitted.length).toBeLessThanOrEqual(50);
  expect(admitted.length).toBeGreaterThanOrEqual(50 - lost);
  expect(countStatus(responses, 429)).toBe(200 - lost - admitted.length);
  const remaining = new Set(admitted.map(({ headers }) => Number(headers['x-ratelimit-remaining'])));
  expect(remaining.size).toBe(admitted.length);
  for (const each of remaining) expect([each >= 0, each < 50]).toEqual([true, true]);
});

describe('a Redis that cannot count', () => {
  test('rate_limit_unavailable while it hangs; what timed out is not charged when it wakes', async () => {
    await withinMinute(10_000);
    const { key } = await gateway.customer({ per_minute: 1_000 });
    const before = await three.served(0, key);
    await redis.pause();
    const refused = await Promise.all(
      Array.from({ length: 20 }, () => gateway.call({ path: '/v1/orgs', key })),
    );
    await redis.resume();
    expect(getCodes(refused)).toEqual(['rate_limit_unavailable']);
    for (const { status, headers } of refused) {
      expect([status, headers['retry-after'], headers['x-ratelimit-limit']]).toEqual([503, '1', undefined]);
    }
    const meanwhile = await three.untilServed(key);
    const after = await three.served(0, key);
    // Between the two: what was served meanwhile, the last request itself, and at most a round charged too late.
    const charged =
      Number(before.headers['x-ratelimit-remaining']) - Number(after.headers['x-ratelimit-remaining']);
    expect(charged).toBeGreaterThan(meanwhile);
    expect(charged).toBeLessThanOrEqual(meanwhile + 1 + 3);
  });
});

describe('monthly quota over three gateways', () => {
  test('600 parallel requests on a quota of 150: exactly 150, the rest quota_exceeded', async () => {
    const { key, keyId } = await gateway.customer({ monthly_quota: 150 });
    const responses = [...(await three.sendMany(300, key)), ...(await three.sendMany(300, key))];
    // On a busy machine some may wait too long, for a block or for Redis; a client tries again.
    const later = responses.filter(({ status }) => status === 503);
    for (const _ of later) responses.push(await three.served(0, key));
    // What Redis charged, and what was refused because the response came too late, is all that may be missing.
    const admitted = countStatus(responses, 200);
    expect(admitted).toBeLessThanOrEqual(150);
    expect(admitted).toBeGreaterThanOrEqual(150 - Math.min(later.length, 10));
    expect(countStatus(responses, 429)).toBe(600 - admitted);
    expect(getCodes(responses)).toEqual(expect.arrayContaining(['ok', 'quota_exceeded']));
    // Every gateway writes what it has charged on its own, once a second.
    const row = await eventually(async () => {
      const { body } = await gateway.operator<KeyUsage[]>('GET', '/usage?limit=200');
      const found = body.data.find(({ key_id }) => key_id === keyId);
      expect(found).toMatchObject({ used: admitted, quota: 150, owner_kind: 'organisation' });
      return found;
    });
    expect(row?.month).toBe(new Date().toISOString().slice(0, 7));
  });

  test('an emptied Redis never over-serves and costs at most one block each time', async () => {
    const { key } = await gateway.customer({ monthly_quota: 100 });
    let count = 0;
    const losses = 3;
    for (let round = 0; round < losses; round += 1) {
      count += countStatus(await three.sendMany(13, key), 200);
      await three.withRedis((client) => client.flushall());
      if ((await three.served(round, key)).status === 200) count += 1;
    }
    for (let round = 0; round < 20; round += 1) count += countStatus(await three.sendMany(10, key), 200);
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
    await three.withRedis((client) => client.hset(`rl:${keyId}`, 'month', before));
    await gateway.sql.query('update quota_leases set month = $2 where key_id = $1', [keyId, before]);
    expect(await four()).toEqual(['ok', 'ok', 'ok', 'quota_exceeded']);
  });

  test('a block that a restarted Redis has read from an old file is not granted again', async () => {
    const { key } = await gateway.customer({ monthly_quota: 100 });
    expect((await three.served(0, key)).status).toBe(200);
    await three.withRedis((client) => client.save());
    let count = 1;
    for (let sent = 0; sent < 9; sent += 1) count += (await three.served(0, key)).status === 200 ? 1 : 0;
    await redis.kill();
    await redis.start();
    for (let sent = 0; sent < 100; sent += 1) count += (await three.served(sent, key)).status === 200 ? 1 : 0;
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

test('all gateways refuse an address that one refuses, and a valid key is not charged for it', async () => {
  const { key } = await gateway.customer({ per_minute: 10 });
  const headers = { 'x-forwarded-for': '10.255.0.1' };
  await withinMinute(10_000);
  const wrong = `bvk_live_${'0'.repeat(43)}`;
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const { status } = await gateway.call({ path: '/v1/orgs', key: wrong, headers }, three.getPort(0));
    expect(status).toBe(401);
  }
  for (const at of [1, 1, 2, 0]) {
    const refused = await gateway.call({ path: '/v1/orgs', key, headers }, three.getPort(at));
    expect(refused.body.error.code).toBe('rate_limited');
    expect(refused.headers).toMatchObject({ 'x-ratelimit-limit': '20', 'x-ratelimit-remaining': '0' });
    const left = 60 - (Math.floor(Date.now() / 1_000) % 60);
    expect(Math.abs(Number(refused.headers['retry-after']) - left)).toBeLessThanOrEqual(2);
  }
  const served = await three.list(1, key);
  expect(served.headers).toMatchObject({ 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '9' });
});
