import { randomUUID } from 'node:crypto';
import { startRedis, type TestServer } from '@bv/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { withinMinute } from './client.ts';
import { startCounting, type Counting } from './counting.ts';

const perMinute = 30;
/** What the other gateway served since the last charge of the first one. */
const unseen = 9;

let server: TestServer;
let redis: Redis;
let first: Counting;
let other: Counting;

beforeAll(async () => {
  server = await startRedis();
  redis = new Redis(server.url);
  redis.on('error', () => undefined);
  for (let dead = 0; dead < 20; dead += 1) {
    const gateway = startCounting(server.url);
    await gateway.untilCounted();
    await gateway.stop();
  }
  first = startCounting(server.url);
  other = startCounting(server.url);
  await Promise.all([first.untilCounted(), other.untilCounted()]);
});
afterAll(async () => {
  await Promise.all([first.stop(), other.stop()]);
  redis.disconnect();
  await server.stop();
});

const losses: [name: string, lose: () => Promise<unknown>][] = [
  ['is flushed', () => redis.flushall()],
  ['restarts without data', () => server.kill().then(() => server.start())],
];

async function serve(gateway: Counting, key: string, requests: number): Promise<void> {
  for (let sent = 0; sent < requests; sent += 1) {
    expect((await gateway.charge(key, perMinute)).outcome).toBe('admitted');
  }
}

async function serveAll(gateway: Counting, key: string): Promise<number> {
  for (let served = 0; ; served += 1) {
    if ((await gateway.charge(key, perMinute)).outcome === 'over_minute') return served;
  }
}

test.each(losses)(
  'Redis %s: counting resumes within 2 s, and a key gets at most what other gateways served unseen',
  async (_name, lose) => {
    await withinMinute(20_000);
    const [known, unknown] = [randomUUID(), randomUUID()];
    for (const key of [known, unknown]) {
      await serve(other, key, 10);
      await serve(first, key, 1);
      await serve(other, key, unseen);
    }
    await lose();
    const refusedMs = await Promise.all([first.untilCounted(), other.untilCounted()]);
    expect(Math.max(...refusedMs)).toBeLessThan(2_000);
    // The gateway with the highest count charges first.
    expect((await other.charge(known, perMinute)).remaining).toBe(perMinute - 21);
    expect(await serveAll(first, known)).toBe(perMinute - 21);
    // Only the gateway with the lower count charges.
    expect(await serveAll(first, unknown)).toBe(perMinute - 20 + unseen);
  },
);
