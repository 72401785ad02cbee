import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { platformConfigs, platformFields, platformLimits } from './platform-config.ts';

const read = (env: Record<string, string>) => z.object(platformFields).parse(env);

test('without keys every platform is unconfigured, at its own address', () => {
  const configs = platformConfigs(read({ CLAUDE_API_KEY: ' \n' }));
  expect(Object.values(configs).map(({ apiKey }) => apiKey)).toEqual([null, null, null, null, null]);
  expect(Object.values(configs).every(({ baseUrl }) => baseUrl.startsWith('https://'))).toBe(true);
});

test('key, model, address, prices and limits of a platform are its own', () => {
  const env = read({
    CLAUDE_API_KEY: 'secret\n',
    CLAUDE_MODEL: 'a-model',
    CLAUDE_BASE_URL: 'http://127.0.0.1:1/anthropic',
    CLAUDE_PRICE_PER_SEARCH_USD: '0.01',
    CLAUDE_CONCURRENCY: '3',
    CLAUDE_PER_MINUTE: '60',
  });
  expect(platformConfigs(env).claude).toEqual({
    apiKey: 'secret',
    model: 'a-model',
    baseUrl: 'http://127.0.0.1:1/anthropic',
    prices: { searchUsd: 0.01 },
  });
  expect(platformConfigs(env).chatgpt).not.toHaveProperty('prices');
  expect(platformLimits(env)).toMatchObject({
    claude: { concurrency: 3, perMinute: 60 },
    chatgpt: { perMinute: 0 },
  });
});

test('AI Overviews are read at the address of their provider', () => {
  const baseUrlOf = (env: Record<string, string>) => platformConfigs(read(env)).ai_overviews.baseUrl;
  expect(baseUrlOf({})).toBe('https://serpapi.com');
  expect(baseUrlOf({ AI_OVERVIEWS_PROVIDER: 'dataforseo' })).toBe('https://api.dataforseo.com');
});
