import { baseUrl } from '@bv/settings';
import { z } from 'zod';
import type { GenAiCall } from '@bv/telemetry';
import type { Prices } from '../platforms/adapter.ts';
import type { PlatformConfigs } from '../platforms/create-adapters.ts';

const Price = z.coerce.number().min(0).max(1_000_000).optional();

/** The environment variables of the LLM judge. */
export const llmJudgeFields = {
  SENTIMENT_JUDGE: z.enum(['auto', 'chatgpt', 'gemini', 'off']).default('auto').meta({
    description:
      'Whose API to call. `auto`: SENTIMENT_JUDGE_BASE_URL, else ChatGPT or Gemini, the first with a key, else a lexicon rates the sentiment. `off`, in YAML with quotation marks: always the lexicon.',
  }),
  SENTIMENT_JUDGE_BASE_URL: baseUrl(
    'Address of an OpenAI-compatible API, without `/v1/chat/completions`. It has precedence over the platforms.',
  ).optional(),
  SENTIMENT_JUDGE_API_KEY: z.string().trim().default('').meta({
    description: 'Key of SENTIMENT_JUDGE_BASE_URL; empty if it needs none.',
    form: 'secret',
  }),
  SENTIMENT_JUDGE_MODEL: z.string().trim().default('').meta({
    description:
      'Name of the model; it must support JSON schemas. Empty: `gpt-6-luna`, or `gemini-2.5-flash-lite` for Gemini.',
  }),
  SENTIMENT_JUDGE_TIMEOUT_MS: z.coerce.number().int().min(100).max(120_000).default(30_000).meta({
    description: 'Deadline per unit, queueing and retries included; then the lexicon is used.',
  }),
  SENTIMENT_JUDGE_CONCURRENCY: z.coerce.number().int().min(1).max(200).default(8).meta({
    description: 'Calls in flight per process.',
  }),
  SENTIMENT_JUDGE_MAX_ATTEMPTS: z.coerce.number().int().min(1).max(10).default(3).meta({
    description: 'Attempts per call before the lexicon is used.',
  }),
  SENTIMENT_JUDGE_PRICE_INPUT_PER_MILLION_TOKENS_USD: Price.meta({
    description: 'Price of the input. Known for the default models.',
  }),
  SENTIMENT_JUDGE_PRICE_OUTPUT_PER_MILLION_TOKENS_USD: Price.meta({
    description: 'Price of the output. Known for the default models.',
  }),
  SENTIMENT_JUDGE_MONTHLY_BUDGET_USD: z.coerce.number().min(0.01).max(10_000_000).optional().meta({
    description: 'Maximum cost in a UTC month, over all replicas; then the lexicon is used.',
  }),
};

type JudgeEnv = z.infer<z.ZodObject<typeof llmJudgeFields>>;

export type JudgeConfig = {
  /** Address for chat completions. */
  url: string;
  provider: GenAiCall['provider'];
  /** Empty if the API needs none. */
  apiKey: string;
  model: string;
  /** Further members of the request. */
  options: Readonly<Record<string, unknown>>;
  /** Undefined: the cost is unknown. */
  prices: Prices | undefined;
  monthlyBudgetUsd: number | null;
  timeoutMs: number;
  concurrency: number;
  maxAttempts: number;
};

const openAiPath = '/v1/chat/completions';

/**
 * The platforms that offer chat completions with a JSON schema, with their cheapest suitable model. Claude's
 * compatible API ignores the schema. Perplexity no longer supports chat completions, and each call would search.
 */
const platformJudges = {
  chatgpt: { provider: 'openai', path: openAiPath, model: 'gpt-6-luna' },
  gemini: { provider: 'gcp.gemini', path: '/v1beta/openai/chat/completions', model: 'gemini-2.5-flash-lite' },
} as const;

type Model = { prices: Prices; options: Record<string, unknown> };

/** List prices, and options that the API of the model accepts. */
const models: ReadonlyMap<string, Model> = new Map([
  [
    'gpt-6-luna',
    {
      prices: { inputPerMillionTokensUsd: 0.1, outputPerMillionTokensUsd: 0.5 },
      // The default is medium: its thoughts are billed as output and take seconds.
      options: { reasoning_effort: 'low' },
    },
  ],
  [
    'gemini-2.5-flash-lite',
    { prices: { inputPerMillionTokensUsd: 0.1, outputPerMillionTokensUsd: 0.4 }, options: {} },
  ],
]);

/** Null if a lexicon rates the sentiment: the LLM judge is off, or none of its APIs has a key. */
export function toJudgeConfig(env: JudgeEnv, platforms: PlatformConfigs): JudgeConfig | null {
  const access = toAccess(env, platforms);
  if (access === null) return null;
  const model = env.SENTIMENT_JUDGE_MODEL || access.model;
  const isDefault = env.SENTIMENT_JUDGE_BASE_URL === undefined && model === access.model;
  return {
    url: access.url,
    provider: access.provider,
    apiKey: access.apiKey,
    model,
    options: isDefault ? (models.get(model)?.options ?? {}) : {},
    prices: toPrices(env) ?? models.get(model)?.prices,
    monthlyBudgetUsd: env.SENTIMENT_JUDGE_MONTHLY_BUDGET_USD ?? null,
    timeoutMs: env.SENTIMENT_JUDGE_TIMEOUT_MS,
    concurrency: env.SENTIMENT_JUDGE_CONCURRENCY,
    maxAttempts: env.SENTIMENT_JUDGE_MAX_ATTEMPTS,
  };
}

type Access = Pick<JudgeConfig, 'url' | 'provider' | 'apiKey' | 'model'>;

function toAccess(env: JudgeEnv, platforms: PlatformConfigs): Access | null {
  const { SENTIMENT_JUDGE: choice, SENTIMENT_JUDGE_BASE_URL: base, SENTIMENT_JUDGE_API_KEY: apiKey } = env;
  if (choice === 'off') return null;
  if (base !== undefined) {
    const { provider, path, model } = platformJudges.chatgpt;
    return { url: join(base, path), provider, apiKey, model };
  }
  for (const id of choice === 'auto' ? (['chatgpt', 'gemini'] as const) : [choice]) {
    const { apiKey: key, baseUrl: address } = platforms[id];
    const { provider, path, model } = platformJudges[id];
    if (key !== null) return { url: join(address, path), provider, apiKey: key, model };
  }
  return null;
}

const join = (base: string, path: string): string => base.replace(/(?<!\/)\/+$/, '') + path;

function toPrices(env: JudgeEnv): Prices | undefined {
  const {
    SENTIMENT_JUDGE_PRICE_INPUT_PER_MILLION_TOKENS_USD: input,
    SENTIMENT_JUDGE_PRICE_OUTPUT_PER_MILLION_TOKENS_USD: output,
  } = env;
  if (input === undefined && output === undefined) return undefined;
  return { inputPerMillionTokensUsd: input ?? 0, outputPerMillionTokensUsd: output ?? 0 };
}
