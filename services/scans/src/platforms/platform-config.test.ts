import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { platformConfigs, platformFields, platformLimits } from './platform-config.ts';

const read = (env: Record<string, string>) => z.object(platformFields).parse(env);

test('without keys every platform is unconfigured and has its default URL', () => {
  const configs = platformConfigs(read({ CLAUDE_API_KEY: ' \n' }));
  expect(Object.values(configs).map(({ apiKey }) => apiKey)).toEqual([null, null, null, null, null]);
  expect(Object.values(configs).every(({ baseUrl }) => baseUrl.startsWith('https://'))).toBe(true);
});

test('each platform has its own key, model, URL, prices and limits', () => {
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

test('AI Overviews use the default URL of their provider', () => {
  const getBaseUrl = (env: Record<string, string>) => platformConfigs(read(env)).ai_overviews.baseUrl;
  expect(getBaseUrl({})).toBe('https://serpapi.com');
  expect(getBaseUrl({ AI_OVERVIEWS_PROVIDER: 'dataforseo' })).toBe('https://api.dataforseo.com');
});

test.each([
  ["Perplexity's own address", {}, 'agent', 'perplexity/sonar'],
  [
    'the same with a slash',
    { PERPLEXITY_BASE_URL: 'https://api.perplexity.ai/' },
    'agent',
    'perplexity/sonar',
  ],
  ['another address', { PERPLEXITY_BASE_URL: 'http://127.0.0.1:1/p' }, 'chat_completions', 'sonar'],
  ['a chosen API', { PERPLEXITY_API: 'chat_completions' }, 'chat_completions', 'sonar'],
  [
    'a chosen API at another address',
    { PERPLEXITY_BASE_URL: 'http://127.0.0.1:1', PERPLEXITY_API: 'agent' },
    'agent',
    'perplexity/sonar',
  ],
  ['a chosen model', { PERPLEXITY_MODEL: 'openai/gpt-6-luna' }, 'agent', 'openai/gpt-6-luna'],
])('the address decides the API of Perplexity and the API its model: %s', (_when, env, api, model) => {
  expect(platformConfigs(read(env as Record<string, string>)).perplexity).toMatchObject({ api, model });
});
