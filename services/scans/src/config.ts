import { integer, milliseconds, serviceFields } from '@bv/service';
import { readSettings, subject } from '@bv/settings';
import { z } from 'zod';
import type { PlatformCheckConfig } from './platforms/platform-check.ts';
import { platformConfigs, platformFields } from './platforms/platform-config.ts';
import { type JudgeConfig, llmJudgeFields, toJudgeConfig } from './worker/judge-config.ts';

const worker = {
  WORKER_CONCURRENCY: integer(
    40,
    'Attempts in flight per process, which holds up to 40 units more to store. 0 turns the worker off.',
    { max: 1_000 },
  ),
  UNIT_TIMEOUT_MS: milliseconds(120_000, 'Deadline of one unit at a platform.', { min: 100, max: 180_000 }),
  UNIT_LEASE_MS: milliseconds(
    30_000,
    'Lease of a unit without a heartbeat. Another worker takes it half a lease later, at least 5 s.',
    {
      min: 500,
      max: 600_000,
    },
  ),
  UNIT_MAX_ATTEMPTS: integer(4, 'Attempts before a unit fails.', { min: 1, max: 20 }),
  RETRY_BASE_MS: milliseconds(
    2_000,
    'Delay after the first failed attempt; doubles with each further one, up to a minute.',
    { min: 1, max: 60_000 },
  ),
  MAX_RESPONSE_BYTES: integer(8_000_000, "Maximum size of a platform's response.", {
    min: 1_024,
    max: 100_000_000,
  }),
};

const JudgeSchema = z.object({ ...platformFields, ...llmJudgeFields });

function requirePrices(config: z.infer<typeof JudgeSchema>, context: z.RefinementCtx): void {
  const judge = toJudgeConfig(config, platformConfigs(config));
  if (judge === null || judge.monthlyBudgetUsd === null || judge.prices !== undefined) return;
  context.addIssue({
    code: 'custom',
    path: ['SENTIMENT_JUDGE_MONTHLY_BUDGET_USD'],
    message: 'requires the prices of the model: set the variables SENTIMENT_JUDGE_PRICE_…',
  });
}

/** The environment of this service. */
export const ConfigSchema = z
  .object({
    ...serviceFields({ port: 8083, monitoringPort: 9083, poolSize: 16 }),
    ...subject('Worker', worker),
    ...subject('Schedule', {
      SCHEDULE_INTERVAL_MS: milliseconds(
        60_000,
        'Interval of queueing due daily scans; 0 turns the schedule off in this process, and `getMethodology` says so.',
        { max: 3_600_000 },
      ),
    }),
    ...subject('Platforms', platformFields),
    ...subject('LLM judge', llmJudgeFields),
  })
  .superRefine(requirePrices);

export type Config = Readonly<z.infer<typeof ConfigSchema>>;

export const readConfig = (env: NodeJS.ProcessEnv = process.env): Config =>
  readSettings('scans', ConfigSchema, env);

/** The LLM judge alone: `judge check` needs no other setting. Null if the lexicon rates. */
export function readJudgeConfig(env: NodeJS.ProcessEnv = process.env): JudgeConfig | null {
  const settings = readSettings('judge check', JudgeSchema.superRefine(requirePrices), env);
  return toJudgeConfig(settings, platformConfigs(settings));
}

/** What `platforms check` needs. */
export function readPlatformCheckConfig(env: NodeJS.ProcessEnv = process.env): PlatformCheckConfig {
  const { UNIT_TIMEOUT_MS, MAX_RESPONSE_BYTES } = worker;
  const schema = z.object({ ...platformFields, UNIT_TIMEOUT_MS, MAX_RESPONSE_BYTES });
  const settings = readSettings('platforms check', schema, env);
  return {
    configs: platformConfigs(settings),
    http: { timeoutMs: settings.UNIT_TIMEOUT_MS, maxResponseBytes: settings.MAX_RESPONSE_BYTES },
  };
}
