import { baseUrl } from '@bv/settings';
import { z } from 'zod';

/** The environment variables of the LLM judge. */
export const llmJudgeFields = {
  SENTIMENT_JUDGE_BASE_URL: baseUrl(
    'LLM judge model: address of an OpenAI-compatible API, without `/v1/chat/completions`. Empty: a lexicon rates the sentiment.',
    { orEmpty: true },
  ).default(''),
  SENTIMENT_JUDGE_API_KEY: z.string().trim().default('').meta({
    description: 'LLM judge model: key of its API; empty if it needs none.',
  }),
  SENTIMENT_JUDGE_MODEL: z.string().min(1).default('gpt-5-mini').meta({
    description: 'LLM judge model: name of the model; it must support JSON schemas.',
  }),
  SENTIMENT_JUDGE_TIMEOUT_MS: z.coerce.number().int().min(100).max(120_000).default(30_000).meta({
    description:
      'LLM judge model: deadline per unit, queueing and retries included; then the lexicon is used.',
  }),
  SENTIMENT_JUDGE_CONCURRENCY: z.coerce.number().int().min(1).max(200).default(8).meta({
    description: 'LLM judge model: calls in flight per process.',
  }),
  SENTIMENT_JUDGE_MAX_ATTEMPTS: z.coerce.number().int().min(1).max(10).default(3).meta({
    description: 'LLM judge model: attempts per call before the lexicon is used.',
  }),
};

type JudgeEnv = z.infer<z.ZodObject<typeof llmJudgeFields>>;

export type JudgeConfig = {
  baseUrl: string;
  apiKey: string;
  model: string;
  timeoutMs: number;
  concurrency: number;
  maxAttempts: number;
};

/** Null if no LLM judge is configured. */
export function toJudgeConfig(env: JudgeEnv): JudgeConfig | null {
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
