import { createHash } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, expect, test } from '@jest/globals';
import { redisUrl } from '@bv/testkit';
import { Redis } from 'ioredis';
import { callScript } from '../src/redis/script-call.ts';

const redis = new Redis(redisUrl());
afterAll(() => redis.disconnect());

const load = async (script: string): Promise<string> => {
  await redis.script('LOAD', script);
  return createHash('sha1').update(script).digest('hex');
};

test('returns the reply of Redis and rejects with its error', async () => {
  const echo = await load('return KEYS[1] .. KEYS[2] .. ARGV[1]');
  expect(await callScript(redis, echo, ['one ', 'two '], 'três')).toBe('one two três');
  const fail = await load("return redis.error_reply('WRONG it is')");
  await expect(callScript(redis, fail, ['one'], '')).rejects.toThrow('WRONG it is');
  await expect(callScript(redis, '0'.repeat(40), ['one'], '')).rejects.toThrow(/^NOSCRIPT/);
});

test('nothing of a call outlives the next young collection', async () => {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as (options: { type: 'major' | 'minor' }) => void;
  const echo = await load('return ARGV[1]');
  const sendMany = async (count: number): Promise<void> => {
    for (let index = 0; index < count; index += 1) {
      await callScript(redis, echo, ['key'], `${index} ${'x'.repeat(20_000)}`);
      if (index % 20 === 0) gc({ type: 'minor' });
    }
  };
  await sendMany(100);
  gc({ type: 'major' });
  const before = process.memoryUsage().heapUsed;
  await sendMany(600);
  gc({ type: 'minor' });
  // All their arguments and replies are 24 MB.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(6_000_000);
});
