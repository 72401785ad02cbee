import { describe, expect, test } from '@jest/globals';
import { readConfig } from '../config.ts';
import { platformConfigs } from '../platforms/platform-config.ts';
import { toJudgeConfig } from './judge-config.ts';

const required = {
  DATABASE_URL: 'postgres://localhost/bv',
  NATS_URL: 'nats://localhost',
  CALLER_SECRETS: 'x'.repeat(32),
};

function read(env: Record<string, string>) {
  const config = readConfig({ ...required, ...env });
  return toJudgeConfig(config, platformConfigs(config));
}

const openAi = {
  url: 'https://api.openai.com/v1/chat/completions',
  apiKey: 'openai-key',
  model: 'gpt-6-luna',
  options: { reasoning_effort: 'low' },
  prices: { inputPerMillionTokensUsd: 0.1, outputPerMillionTokensUsd: 0.5 },
  monthlyBudgetUsd: null,
};
const gemini = {
  url: 'https://generativelanguage.googleapis.com/v1beta/openai/chat/completions',
  apiKey: 'gemini-key',
  model: 'gemini-2.5-flash-lite',
  options: {},
  prices: { inputPerMillionTokensUsd: 0.1, outputPerMillionTokensUsd: 0.4 },
};
const keys = { CHATGPT_API_KEY: 'openai-key', GEMINI_API_KEY: 'gemini-key' };

describe('the API of the LLM judge', () => {
  test('is that of ChatGPT before that of Gemini, whichever has a key', () => {
    expect(read(keys)).toMatchObject(openAi);
    expect(read({ CHATGPT_API_KEY: 'openai-key' })).toMatchObject(openAi);
    expect(read({ GEMINI_API_KEY: 'gemini-key' })).toMatchObject(gemini);
  });

  test('is none without a key of either', () => {
    expect(read({})).toBeNull();
    expect(read({ CLAUDE_API_KEY: 'x', PERPLEXITY_API_KEY: 'x', AI_OVERVIEWS_API_KEY: 'x' })).toBeNull();
  });

  test('is the chosen one, or none if it has no key', () => {
    expect(read({ ...keys, SENTIMENT_JUDGE: 'gemini' })).toMatchObject(gemini);
    expect(read({ GEMINI_API_KEY: 'gemini-key', SENTIMENT_JUDGE: 'chatgpt' })).toBeNull();
  });

  test('is the explicit address before all platforms, with the options of none', () => {
    const base = { SENTIMENT_JUDGE_BASE_URL: 'http://127.0.0.1:11434/', SENTIMENT_JUDGE_MODEL: 'local' };
    expect(read({ ...keys, ...base })).toMatchObject({
      url: 'http://127.0.0.1:11434/v1/chat/completions',
      apiKey: '',
      model: 'local',
      options: {},
      prices: undefined,
    });
  });

  test('is none when it is off, also with an explicit address', () => {
    expect(read({ ...keys, SENTIMENT_JUDGE: 'off', SENTIMENT_JUDGE_BASE_URL: 'http://a' })).toBeNull();
  });

  test('is behind the address of a proxy of the platform', () => {
    const proxied = { CHATGPT_API_KEY: 'k', CHATGPT_BASE_URL: 'https://proxy.example/openai/' };
    expect(read(proxied)?.url).toBe('https://proxy.example/openai/v1/chat/completions');
  });

  test('gets options of the default model only: another model may reject them', () => {
    expect(read({ ...keys, SENTIMENT_JUDGE_MODEL: 'other' })).toMatchObject({
      model: 'other',
      options: {},
      prices: undefined,
    });
  });
});

describe('the cost of the LLM judge', () => {
  test('is by the own prices before the known ones', () => {
    expect(read({ ...keys, SENTIMENT_JUDGE_PRICE_OUTPUT_PER_MILLION_TOKENS_USD: '2' })?.prices).toEqual({
      inputPerMillionTokensUsd: 0,
      outputPerMillionTokensUsd: 2,
    });
  });

  test('has no maximum unless one is set', () => {
    expect(read({ ...keys, SENTIMENT_JUDGE_MONTHLY_BUDGET_USD: '' })?.monthlyBudgetUsd).toBeNull();
    expect(read({ ...keys, SENTIMENT_JUDGE_MONTHLY_BUDGET_USD: '12.5' })?.monthlyBudgetUsd).toBe(12.5);
  });

  test('must be known for a maximum', () => {
    const unknown = { ...keys, SENTIMENT_JUDGE_MODEL: 'other', SENTIMENT_JUDGE_MONTHLY_BUDGET_USD: '5' };
    expect(() => read(unknown)).toThrow(/SENTIMENT_JUDGE_MONTHLY_BUDGET_USD: requires the prices/);
    expect(read({ ...unknown, SENTIMENT_JUDGE: 'off' })).toBeNull();
    const priced = { ...unknown, SENTIMENT_JUDGE_PRICE_INPUT_PER_MILLION_TOKENS_USD: '1' };
    expect(read(priced)?.monthlyBudgetUsd).toBe(5);
  });
});
