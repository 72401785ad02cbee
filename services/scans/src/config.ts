import { readConfig as read, serviceFields } from '@bv/service';
import { z } from 'zod';
import { platformConfigs, platformFields } from './platforms/platform-config.ts';
import { llmJudgeFields, toJudgeConfig } from './worker/judge-config.ts';

/** The environment of this service. */
export const ConfigSchema = z
  .object({
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
      description:
        'Interval of queueing due daily scans; 0 turns the schedule off in this process, and `getMethodology` says so.',
    }),
    ...platformFields,
    ...llmJudgeFields,
  })
  .superRefine((config, context) => {
    const judge = toJudgeConfig(config, platformConfigs(config));
    if (judge === null || judge.monthlyBudgetUsd === null || judge.prices !== undefined) return;
    context.addIssue({
      code: 'custom',
      path: ['SENTIMENT_JUDGE_MONTHLY_BUDGET_USD'],
      message: 'requires the prices of the model: set the variables SENTIMENT_JUDGE_PRICE_…',
    });
  });

export type Config = Readonly<z.infer<typeof ConfigSchema>>;

export const readConfig = (env: NodeJS.ProcessEnv = process.env): Config => read('scans', ConfigSchema, env);
