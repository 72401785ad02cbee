import { formulas, getMethodology, methodVersions, platformIds } from '@bv/contract';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { drift } from './catalog-stub.ts';
import { type Harness, startScans } from './harness.ts';

const platforms = ['CHATGPT', 'PERPLEXITY', 'GEMINI', 'CLAUDE', 'AI_OVERVIEWS'];

let harness: Harness;

beforeAll(async () => {
  harness = await startScans();
});

afterAll(() => harness.stop());

/**
 * The response of a process that serves the API alone, without the variables of platforms, as data and as sent. A worker
 * with these environment variables was started before.
 */
async function readMethodology(env: Record<string, string>) {
  await (await harness.startReplica({ env })).stop();
  return readWithoutWorker(env);
}

async function readWithoutWorker(env: Record<string, string> = {}) {
  const { SCHEDULE_INTERVAL_MS = '0' } = env;
  const keys = Object.fromEntries(platforms.map((name) => [`${name}_API_KEY`, '']));
  const replica = await harness.startReplica({
    env: { ...keys, WORKER_CONCURRENCY: '0', SCHEDULE_INTERVAL_MS },
  });
  try {
    const response = await replica.call(getMethodology, {});
    return { status: response.status, data: response.data, text: JSON.stringify(response.body) };
  } finally {
    await replica.stop();
  }
}

describe('200', () => {
  test('before a worker has started, no platform is measured', async () => {
    const { status, data } = await readWithoutWorker();
    expect([status, data.platforms, data.sentiment.default_method]).toEqual([200, [], 'lexicon']);
  });

  test('the settings of the platforms, the LLM judge and the registry of the method', async () => {
    const { status, data } = await readMethodology({
      CHATGPT_MODEL: 'gpt-of-a-test',
      SENTIMENT_JUDGE: 'auto',
      SENTIMENT_JUDGE_MODEL: 'judge-of-a-test',
    });
    expect(status).toBe(200);
    expect(data.platforms).toEqual([
      {
        platform: 'perplexity',
        surface: 'api',
        model: 'sonar',
        provider: null,
        search: 'automatic',
        localization: 'native',
      },
      {
        platform: 'chatgpt',
        surface: 'api',
        model: 'gpt-of-a-test',
        provider: null,
        search: 'forced',
        localization: 'native',
      },
      {
        platform: 'gemini',
        surface: 'api',
        model: 'gemini-3.5-flash-lite',
        provider: null,
        search: 'automatic',
        localization: 'prompt',
      },
      {
        platform: 'claude',
        surface: 'api',
        model: 'claude-sonnet-4-6',
        provider: null,
        search: 'forced',
        localization: 'native',
      },
      {
        platform: 'ai_overviews',
        surface: 'serp',
        model: null,
        provider: 'serpapi',
        search: 'forced',
        localization: 'native',
      },
    ]);
    expect(data.sentiment).toMatchObject({ default_method: 'llm', llm_model: 'judge-of-a-test' });
    expect(data.sentiment.lexicon_languages).toEqual(expect.arrayContaining(['de', 'en', 'no', 'zh']));
    expect(data.detection.languages).toEqual(expect.arrayContaining(['de', 'en', 'ja', 'no']));
    expect(data.detection.case_ending_languages).toEqual(['cs', 'fi', 'hu', 'pl']);
    expect(data.cadence).toEqual({ per_day: 0, samples_per_unit: 1 });
    expect(data.markets).toEqual(['DE', 'US']);
    expect(data.drift).toEqual([drift]);
    expect(data.versions).toEqual(methodVersions);
    expect(data.method_version).toBe(methodVersions[0].method_version);
    expect(data.formulas).toEqual(formulas);
  });

  test('without the LLM judge the lexicon; a platform without a key is not measured', async () => {
    const { data } = await readMethodology({
      SENTIMENT_JUDGE: 'off',
      CLAUDE_API_KEY: '',
      AI_OVERVIEWS_PROVIDER: 'dataforseo',
    });
    expect(data.sentiment).toMatchObject({ default_method: 'lexicon', llm_model: null });
    expect(data.platforms.map(({ platform }) => platform)).toEqual(
      platformIds.filter((platform) => platform !== 'claude'),
    );
    expect(data.platforms.at(-1)).toMatchObject({ platform: 'ai_overviews', provider: 'dataforseo' });
  });

  test('one scan a day with the schedule, none without', async () => {
    const on = await readMethodology({ SCHEDULE_INTERVAL_MS: '60000' });
    expect(on.data.cadence).toEqual({ per_day: 1, samples_per_unit: 1 });
    const off = await readMethodology({ SCHEDULE_INTERVAL_MS: '0' });
    expect(off.data.cadence).toEqual({ per_day: 0, samples_per_unit: 1 });
  });

  test('no key, address, price or budget of the configuration', async () => {
    const secrets = Object.fromEntries(
      [...platforms, 'SENTIMENT_JUDGE'].flatMap((name) => [
        [`${name}_API_KEY`, `secret-key-of-${name}`],
        [`${name}_BASE_URL`, `https://user:secret-password@${name.replace('_', '-')}.internal.test/path`],
        [`${name}_PRICE_INPUT_PER_MILLION_TOKENS_USD`, '0.7319'],
      ]),
    );
    const env = { ...secrets, SENTIMENT_JUDGE: 'auto', SENTIMENT_JUDGE_MONTHLY_BUDGET_USD: '8317' };
    const { data, text } = await readMethodology(env);
    expect([data.platforms.length, data.sentiment.default_method]).toEqual([5, 'llm']);
    expect(text).not.toMatch(/secret|internal\.test|:\/\/|0\.7319|8317/i);
    const { CALLER_SECRETS, DATABASE_URL, NATS_URL } = harness.buildEnvironment({});
    for (const value of [CALLER_SECRETS, DATABASE_URL, NATS_URL]) expect(text).not.toContain(value);
  });
});
