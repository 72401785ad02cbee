import { readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { redisUrl } from '@bv/testkit';
import { Redis } from 'ioredis';
import { runScript } from '../src/rate-limiting/scripts.ts';

const redis = new Redis(redisUrl());
afterAll(() => redis.disconnect());

test('a script is sent as text only when Redis does not have it', async () => {
  const text = `return ARGV[1] .. '${Math.random()}'`;
  const script = { text, sha: createHash('sha1').update(text).digest('hex') };
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
