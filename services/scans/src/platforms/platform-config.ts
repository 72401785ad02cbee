import { type PlatformId, platformIds } from '@bv/contract';
import { baseUrl } from '@bv/settings';
import { z } from 'zod';
import { defaultBaseUrls, type PlatformConfigs } from './create-adapters.ts';
import type { PlatformConfig, Prices } from './adapter.ts';
import type { AnswerPrices } from '../domain/answer-price.ts';
import type { PlatformLimits } from '../domain/rate-bucket.ts';

const Price = z.coerce.number().min(0).max(1_000_000).optional();

const commonFields = {
  // A secret read from a file ends in a newline, which is invalid in a header.
  API_KEY: z.string().trim().default('').meta({
    description: 'Key of the API; without one the units of the platform fail as unconfigured.',
    form: 'secret',
  }),
  CONCURRENCY: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000)
    .default(8)
    .meta({ description: 'Calls in flight, over all replicas.' }),
  PER_MINUTE: z.coerce
    .number()
    .min(0)
    .max(1_000_000)
    .default(0)
    .meta({ description: 'Calls per minute, over all replicas; 0 is unlimited.' }),
  PRICE_INPUT_PER_MILLION_TOKENS_USD: Price.meta({ description: 'Price of the input.' }),
  PRICE_OUTPUT_PER_MILLION_TOKENS_USD: Price.meta({ description: 'Price of the output.' }),
  PRICE_PER_SEARCH_USD: Price.meta({ description: 'Price of a web search.' }),
  PRICE_PER_REQUEST_USD: Price.meta({ description: 'Price of a request.' }),
  PRICE_PER_ANSWER_USD: Price.meta({
    description:
      'Price of a unit whatever its outcome: for the preview of scans and the usage of organisations.',
  }),
};

const createModelFields = (defaults: { baseUrl: string; model: string }) => ({
  ...commonFields,
  BASE_URL: baseUrl('Address of the API, with any prefix.').default(defaults.baseUrl),
  MODEL: z.string().min(1).default(defaults.model).meta({ description: 'Model to use.' }),
});

const overviewFields = {
  ...commonFields,
  BASE_URL: baseUrl(
    "Address of the provider's API, with any prefix; by default the provider's own.",
  ).optional(),
  PROVIDER: z.enum(['serpapi', 'dataforseo']).default('serpapi').meta({
    description: 'Provider of the search results; a DataForSEO key is `login:password`.',
  }),
};

/** Models of Perplexity's APIs. */
const perplexityModels = { agent: 'perplexity/sonar', chat_completions: 'sonar' } as const;

const perplexityFields = {
  ...createModelFields({ baseUrl: defaultBaseUrls.perplexity, model: '' }),
  MODEL: z
    .string()
    .default('')
    .meta({
      description: `Model to use. Empty: \`${perplexityModels.agent}\` with the Agent API, \`${perplexityModels.chat_completions}\` with chat completions.`,
    }),
  API: z.enum(['agent', 'chat_completions']).optional().meta({
    description:
      "API to call. By default the Agent API at Perplexity's own address and chat completions, which compatible services speak, at any other.",
  }),
};

type Prefixed<P extends string, F> = { [K in keyof F & string as `${P}_${K}`]: F[K] };

/** `prefix` lets docs/configuration.md show the fields of all platforms as one. */
function prefixed<P extends string, F extends Record<string, z.ZodType>>(
  prefix: P,
  fields: F,
): Prefixed<P, F> {
  const entries = Object.entries(fields).map(([key, field]) => [`${prefix}_${key}`, field.meta({ prefix })]);
  return Object.fromEntries(entries) as Prefixed<P, F>;
}

const { chatgpt, gemini, claude } = defaultBaseUrls;

/** The environment variables of the five platforms. */
export const platformFields = {
  ...prefixed('CHATGPT', createModelFields({ baseUrl: chatgpt, model: 'gpt-6.1-terra' })),
  ...prefixed('PERPLEXITY', perplexityFields),
  ...prefixed('GEMINI', createModelFields({ baseUrl: gemini, model: 'gemini-3.5-flash-lite' })),
  ...prefixed('CLAUDE', createModelFields({ baseUrl: claude, model: 'claude-sonnet-4-6' })),
  ...prefixed('AI_OVERVIEWS', overviewFields),
};

type PlatformEnv = z.infer<z.ZodObject<typeof platformFields>>;
type Prefix = 'CHATGPT' | 'PERPLEXITY' | 'GEMINI' | 'CLAUDE' | 'AI_OVERVIEWS';

const prefixes: Record<PlatformId, Prefix> = {
  chatgpt: 'CHATGPT',
  perplexity: 'PERPLEXITY',
  gemini: 'GEMINI',
  claude: 'CLAUDE',
  ai_overviews: 'AI_OVERVIEWS',
};

/** The configurations of the platform adapters. */
export function platformConfigs(env: PlatformEnv): PlatformConfigs {
  const model = (prefix: Exclude<Prefix, 'AI_OVERVIEWS'>): PlatformConfig => ({
    ...toAccess(env, prefix),
    baseUrl: env[`${prefix}_BASE_URL`],
    model: env[`${prefix}_MODEL`],
  });
  const provider = env.AI_OVERVIEWS_PROVIDER;
  const overviews: PlatformConfig = {
    ...toAccess(env, 'AI_OVERVIEWS'),
    baseUrl: env.AI_OVERVIEWS_BASE_URL ?? defaultBaseUrls[provider],
    model: '',
    provider,
  };
  return {
    chatgpt: model('CHATGPT'),
    perplexity: perplexityConfig(env),
    gemini: model('GEMINI'),
    claude: model('CLAUDE'),
    ai_overviews: overviews,
  };
}

function perplexityConfig(env: PlatformEnv): PlatformConfig {
  const baseUrl = env.PERPLEXITY_BASE_URL;
  const isOwnAddress = baseUrl.replace(/\/$/, '') === defaultBaseUrls.perplexity;
  const api = env.PERPLEXITY_API ?? (isOwnAddress ? 'agent' : 'chat_completions');
  const model = env.PERPLEXITY_MODEL || perplexityModels[api];
  return { ...toAccess(env, 'PERPLEXITY'), baseUrl, model, api };
}

/** Concurrency and rate of each platform, over all replicas. */
export function platformLimits(env: PlatformEnv): Record<PlatformId, PlatformLimits> {
  const limits = platformIds.map((id): [PlatformId, PlatformLimits] => {
    const prefix = prefixes[id];
    return [id, { concurrency: env[`${prefix}_CONCURRENCY`], perMinute: env[`${prefix}_PER_MINUTE`] }];
  });
  return Object.fromEntries(limits) as Record<PlatformId, PlatformLimits>;
}

/** Prices per answer, of the platforms that have one. */
export const answerPrices = (env: PlatformEnv): AnswerPrices =>
  Object.fromEntries(
    platformIds.flatMap((id) => {
      const price = env[`${prefixes[id]}_PRICE_PER_ANSWER_USD`];
      return price === undefined ? [] : [[id, price]];
    }),
  );

function toAccess(env: PlatformEnv, prefix: Prefix): Pick<PlatformConfig, 'apiKey' | 'prices'> {
  const prices = Object.entries({
    inputPerMillionTokensUsd: env[`${prefix}_PRICE_INPUT_PER_MILLION_TOKENS_USD`],
    outputPerMillionTokensUsd: env[`${prefix}_PRICE_OUTPUT_PER_MILLION_TOKENS_USD`],
    searchUsd: env[`${prefix}_PRICE_PER_SEARCH_USD`],
    requestUsd: env[`${prefix}_PRICE_PER_REQUEST_USD`],
  }).filter((entry): entry is [string, number] => entry[1] !== undefined);
  const apiKey = env[`${prefix}_API_KEY`] || null;
  // Without any price the cost is unknown, which is not 0.
  return prices.length === 0 ? { apiKey } : { apiKey, prices: Object.fromEntries(prices) as Prices };
}
