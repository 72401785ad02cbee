import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@bv/testkit';
import { withinMinute } from './client.ts';

import { getCodes, ThreeGateways } from './three-gateways.ts';

let three: ThreeGateways;
let redis: ThreeGateways['redis'];
let gateway: ThreeGateways['gateway'];

beforeAll(async () => {
  three = await ThreeGateways.start();
  ({ redis, gateway } = three);
});
afterAll(() => three.stop());

/** The gateways look at the policy whenever they connect. */
const configure = (maxmemory: string, policy: string): Promise<void> =>
  three.withRedis(async (client) => {
    await client.config('SET', 'maxmemory', maxmemory, 'maxmemory-policy', policy);
    await client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
  });

/** Waits until the gateways have connected six more times: each of them twice on average. */
async function untilReconnected(): Promise<void> {
  await three.withRedis(async (client) => {
    const countConnections = async (): Promise<number> =>
      Number(/^total_connections_received:(\d+)/m.exec(await client.info('stats'))?.[1]);
    const before = await countConnections();
    await eventually(async () => expect(await countConnections()).toBeGreaterThanOrEqual(before + 6), {
      timeoutMs: 20_000,
    });
  });
}

describe('Redis that cannot count', () => {
  test('scripts that are flushed under load are sent again, without refusals or double counting', async () => {
    await withinMinute(10_000);
    const { key } = await gateway.customer({ per_minute: 1_000 });
    await three.sendMany(3, key);
    await three.withRedis((client) => client.script('FLUSH'));
    const responses = await three.sendMany(30, key);
    expect(getCodes(responses)).toEqual(['ok']);
    const remaining = responses.map(({ headers }) => Number(headers['x-ratelimit-remaining']));
    expect(remaining.toSorted((one, other) => other - one)).toEqual(
      Array.from({ length: 30 }, (_, index) => 996 - index),
    );
  });

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

  test('rate_limit_unavailable while it is stopped, served again when it is back', async () => {
    const { key } = await gateway.customer();
    await redis.stop();
    const responses = await three.sendMany(9, key);
    expect(getCodes(responses)).toEqual(['rate_limit_unavailable']);
    await redis.start();
    await three.untilServed(key);
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
    await three.untilServed(key);
  });
});

describe('a Redis emptied together with a gateway', () => {
  test('a stopped gateway cannot restore its counts: nothing is counted until the minute ends', async () => {
    await withinMinute(20_000);
    const { key } = await gateway.customer({ per_minute: 30 });
    for (let sent = 0; sent < 20; sent += 1) expect((await three.served(0, key)).status).toBe(200);
    await gateway.gateways[0]?.kill();
    await three.flushRedis();
    try {
      await three.withRedis(async (client) => {
        // The two others have restored their counts, and the store is ready apart from the one that is missing.
        await eventually(async () => {
          const [awaited, opens] = await client.hmget('rl:store', 'awaited', 'opens');
          expect([awaited, Number(opens) < Date.now()]).toEqual(['1', true]);
        });
        for (const at of [1, 2, 1, 2]) {
          const { body } = await three.list(at, key);
          expect(body.error.code).toBe('rate_limit_unavailable');
        }
        // The minute of its creation is over.
        await client.hincrby('rl:store', 'since', -1);
      });
      const response = await three.served(1, key);
      expect([response.status, response.headers['x-ratelimit-remaining']]).toEqual([200, '29']);
    } finally {
      await gateway.gateways[0]?.start();
    }
  }, 150_000);
});
