import { readConfig as read, serviceFields } from '@bv/service';
import { baseUrl } from '@bv/settings';
import { z } from 'zod';
import { platformFields } from './platforms/platform-config.ts';
import type { JudgeConfig } from './worker/sentiment-judge.ts';

/** The environment variables of the LLM judge. */
const llmJudgeFields = {
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

/** The environment of this service. */
export const ConfigSchema = z.object({
  ...serviceFields({ port: 8083, monitoringPort: 9083, poolSize: 16 }),
  WORKER_CONCURRENCY: z.coerce.number().int().min(0).max(1_000).default(40).meta({
    description: 'Units in flight per process; 0 turns the worker off.',
  }),
  UNIT_TIMEOUT_MS: z.coerce.number().int().min(100).max(180_000).default(120_000).meta({
    description: 'Deadline of one unit at a platform.',
  }),
  UNIT_LEASE_MS: z.coerce.number().int().min(500).max(600_000).default(30_000).meta({
    description: 'Lease of a unit without a heartbeat; then another worker takes it.',
  }),
  UNIT_MAX_ATTEMPTS: z.coerce.number().int().min(1).max(20).default(4).meta({
    description: 'Attempts before a unit fails.',
  }),
  RETRY_BASE_MS: z.coerce.number().int().min(1).max(60_000).default(2_000).meta({
    description: 'Delay after the first failed attempt; doubles with each further one, up to a minute.',
  }),
  MAX_RESPONSE_BYTES: z.coerce.number().int().min(1_024).max(100_000_000).default(8_000_000).meta({
    description: "Maximum size of a platform's response.",
  }),
  SCHEDULE_INTERVAL_MS: z.coerce.number().int().min(0).max(3_600_000).default(60_000).meta({
    description: 'Interval of queueing due daily scans; 0 turns the schedule off in this process.',
  }),
  ...platformFields,
  ...llmJudgeFields,
});

export type Config = Readonly<z.infer<typeof ConfigSchema>>;

export const readConfig = (env: NodeJS.ProcessEnv = process.env): Config => read('scans', ConfigSchema, env);

/** Null if no LLM judge is configured. */
export function toJudgeConfig(config: Config): JudgeConfig | null {
  if (config.SENTIMENT_JUDGE_BASE_URL === '') return null;
  return {
    baseUrl: config.SENTIMENT_JUDGE_BASE_URL.replace(/(?<!\/)\/+$/, ''),
    apiKey: config.SENTIMENT_JUDGE_API_KEY,
    model: config.SENTIMENT_JUDGE_MODEL,
    timeoutMs: config.SENTIMENT_JUDGE_TIMEOUT_MS,
    concurrency: config.SENTIMENT_JUDGE_CONCURRENCY,
    maxAttempts: config.SENTIMENT_JUDGE_MAX_ATTEMPTS,
  };
}
