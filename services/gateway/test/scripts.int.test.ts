import { readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, expect, test } from '@jest/globals';
import { redisUrl } from '@bv/testkit';
import { Redis } from 'ioredis';
import { runScript, type Script } from '../src/rate-limiting/scripts.ts';

const redis = new Redis(redisUrl());
afterAll(() => redis.disconnect());

const createScript = (text: string): Script => ({
  text,
  sha: createHash('sha1').update(text).digest('hex'),
});

test('returns the reply of Redis and rejects with its error', async () => {
  const echo = createScript('return KEYS[1] .. KEYS[2] .. ARGV[1]');
  expect(await runScript(redis, echo, ['one ', 'two '], ['três'])).toBe('one two três');
  const fail = createScript("return redis.error_reply('WRONG it is')");
  await expect(runScript(redis, fail, ['one'], [])).rejects.toThrow('WRONG it is');
});

test('a script is sent as text only when Redis does not have it', async () => {
  const script = createScript(`return ARGV[1] .. '${Math.random()}'`);
  expect(await redis.script('EXISTS', script.sha)).toEqual([0]);
  expect(await runScript(redis, script, [], ['a'])).toMatch(/^a/);
  expect(await redis.script('EXISTS', script.sha)).toEqual([1]);
  // The text is wrong, so only the hash can have been sent.
  expect(await runScript(redis, { ...script, text: 'no Lua' }, [], ['b'])).toMatch(/^b/);
});

test('the image of the gateway contains the scripts', () => {
  const dockerfile = readFileSync(new URL('../../../Dockerfile', import.meta.url), 'utf8');
  expect(dockerfile).toMatch(/assemble @bv\/gateway .*\bservices\/gateway\/lua\b/);
});

test('nothing of a call outlives the next young collection', async () => {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as (options: { type: 'major' | 'minor' }) => void;
  const echo = createScript('return ARGV[1]');
  const sendMany = async (count: number): Promise<void> => {
    for (let index = 0; index < count; index += 1) {
      await runScript(redis, echo, ['key'], [`${index} ${'x'.repeat(20_000)}`]);
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
