import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { redisUrl } from '@bv/testkit';
import { Redis } from 'ioredis';
import { scripts, storeName } from '../src/rate-limiting/scripts.ts';
import { withinMinute } from './client.ts';

// The cases of the headers of lua/register-gateway.lua, complete-restore.lua and restore-window.lua.

const redis = new Redis(redisUrl());
afterAll(() => redis.disconnect());
beforeEach(async () => {
  await redis.flushdb();
  await withinMinute(2_000);
});

type Registering = { run?: string; mayHaveCounted?: 0 | 1; listAgeMs?: number; list?: string[] };
type Registered = { minute: number; pending: number; created: number; readyInMs: number; gateways: string[] };

async function register(
  gateway: string,
  { run = 'run-1', mayHaveCounted = 1, listAgeMs = 0, list = [] }: Registering = {},
): Promise<Registered> {
  const args = [run, gateway, mayHaveCounted, listAgeMs, ...list];
  const reply = await redis.eval(scripts.registerGateway.text, 1, storeName, ...args);
  const [minute, pending, created, readyInMs, ...gateways] = reply as [number, number, number, number];
  return { minute, pending, created, readyInMs, gateways };
}

const complete = (gateway: string, run = 'run-1'): Promise<unknown> =>
  redis.eval(scripts.completeRestore.text, 1, storeName, run, gateway);
const awaited = (): Promise<string | null> => redis.hget(storeName, 'awaited');

describe('register-gateway.lua', () => {
  test('creates the store once for each run id of Redis, ready after the registration', async () => {
    const first = await register('a');
    expect(first).toMatchObject({ minute: Math.floor(Date.now() / 60_000), created: 1, gateways: ['a'] });
    expect(first.readyInMs).toBe(600);
    const token = await redis.hget(storeName, 'token');
    const second = await register('b');
    expect(second.created).toBe(0);
    expect(second.readyInMs).toBeLessThanOrEqual(600);
    expect(second.gateways.toSorted()).toEqual(['a', 'b']);
    expect(await redis.hget(storeName, 'token')).toBe(token);
    expect((await register('a', { run: 'run-2' })).created).toBe(1);
    expect(await redis.hgetall(storeName)).toMatchObject({ run: 'run-2', awaited: '1' });
    expect(await redis.hget(storeName, 'token')).not.toBe(token);
  });

  test('waits for a gateway that may have counted, once, and not for one that has just started', async () => {
    expect((await register('old')).pending).toBe(1);
    expect((await register('old')).pending).toBe(1);
    expect((await register('new', { mayHaveCounted: 0 })).pending).toBe(0);
    expect(await awaited()).toBe('1');
  });

  test('waits for the gateways of a list of this minute, and ignores an older list', async () => {
    await register('a', { list: ['dead', 'b'] });
    await register('b', { listAgeMs: 70_000, list: ['long-gone'] });
    expect(await awaited()).toBe('3');
    expect(await redis.hkeys(storeName)).toEqual(expect.arrayContaining(['w:a', 'w:b', 'w:dead']));
    expect(await redis.hexists(storeName, 'w:long-gone')).toBe(0);
  });

  test('after the minute of its creation the store waits for no gateway', async () => {
    await register('a', { mayHaveCounted: 0 });
    await redis.hincrby(storeName, 'since', -1);
    expect((await register('b', { list: ['c'] })).pending).toBe(0);
    expect(await awaited()).toBe('0');
  });

  test('removes a gateway without a heartbeat in this minute', async () => {
    await register('a', { list: ['silent'] });
    const minuteStart = Math.floor(Date.now() / 60_000) * 60_000;
    await redis.hset(storeName, 'p:silent', minuteStart - 4_000);
    expect((await register('a')).gateways.toSorted()).toEqual(['a', 'silent']);
    await redis.hset(storeName, 'p:silent', minuteStart - 6_000);
    expect((await register('a')).gateways).toEqual(['a']);
    expect(await redis.hmget(storeName, 'p:silent', 'w:silent')).toEqual([null, null]);
  });
});

test('complete-restore.lua completes a restore once, and only in its store', async () => {
  await register('a', { list: ['b'] });
  expect(await complete('a', 'run-2')).toBe(0);
  expect(await awaited()).toBe('2');
  expect(await complete('a')).toBe(1);
  expect(await complete('a')).toBe(1);
  expect(await awaited()).toBe('1');
  expect((await register('a')).pending).toBe(0);
  expect(await complete('b')).toBe(1);
  expect(await awaited()).toBe('0');
});

test('restore-window.lua never lowers the minute or its count', async () => {
  const restore = (minute: number, count: number): Promise<unknown> =>
    redis.eval(scripts.restoreWindow.text, 1, 'rl:key', minute, count);
  const stored = (): Promise<(string | null)[]> => redis.hmget('rl:key', 'minute', 'count');
  expect(await restore(10, 5)).toBe(1);
  expect(await restore(10, 5)).toBe(0);
  expect(await restore(10, 4)).toBe(0);
  expect(await restore(9, 50)).toBe(0);
  expect(await stored()).toEqual(['10', '5']);
  expect(await restore(10, 6)).toBe(1);
  expect(await restore(11, 1)).toBe(1);
  expect(await stored()).toEqual(['11', '1']);
  expect(await redis.ttl('rl:key')).toBeGreaterThan(39 * 24 * 3_600);
});
