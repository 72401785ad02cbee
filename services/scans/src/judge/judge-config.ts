import { baseUrl } from '@bv/settings';
import { z } from 'zod';

/** The environment variables of the sentiment judge. */
export const judgeFields = {
  SENTIMENT_JUDGE_BASE_URL: baseUrl(
    'Sentiment judge: address of an OpenAI-compatible API, before `/v1/chat/completions`. Empty: no judge is asked, a lexicon gives the sentiment.',
    { orEmpty: true },
  ).default(''),
  SENTIMENT_JUDGE_API_KEY: z.string().trim().default('').meta({
    description: 'Sentiment judge: key of its API; empty where it takes none.',
  }),
  SENTIMENT_JUDGE_MODEL: z.string().min(1).default('gpt-5-mini').meta({
    description: 'Sentiment judge: model that is asked; it must be able to keep to a JSON schema.',
  }),
  SENTIMENT_JUDGE_TIMEOUT_MS: z.coerce.number().int().min(100).max(120_000).default(30_000).meta({
    description:
      'Sentiment judge: longest one unit waits for it, its turn and all tries together, before the lexicon is taken.',
  }),
  SENTIMENT_JUDGE_CONCURRENCY: z.coerce.number().int().min(1).max(200).default(8).meta({
    description: 'Sentiment judge: questions one process asks at the same time.',
  }),
  SENTIMENT_JUDGE_MAX_ATTEMPTS: z.coerce.number().int().min(1).max(10).default(3).meta({
    description: 'Sentiment judge: tries of a question before the lexicon is taken.',
  }),
};

type JudgeEnv = z.infer<z.ZodObject<typeof judgeFields>>;

export type JudgeConfig = {
  baseUrl: string;
  apiKey: string;
  model: string;
  timeoutMs: number;
  concurrency: number;
  maxAttempts: number;
};

/** Null where no judge is configured. */
export function judgeConfig(env: JudgeEnv): JudgeConfig | null {
  if (env.SENTIMENT_JUDGE_BASE_URL === '') return null;
  return {
    baseUrl: env.SENTIMENT_JUDGE_BASE_URL.replace(/(?<!\/)\/+$/, ''),
    apiKey: env.SENTIMENT_JUDGE_API_KEY,
    model: env.SENTIMENT_JUDGE_MODEL,
    timeoutMs: env.SENTIMENT_JUDGE_TIMEOUT_MS,
    concurrency: env.SENTIMENT_JUDGE_CONCURRENCY,
    maxAttempts: env.SENTIMENT_JUDGE_MAX_ATTEMPTS,
  };
}
