import { readConfig as read, serviceFields } from '@bv/service';
import { z } from 'zod';
import { judgeFields } from './judge/judge-config.ts';
import { platformFields } from './platform-config.ts';

/** The environment of this service. */
export const ConfigSchema = z.object({
  ...serviceFields({ port: 8083, monitoringPort: 9083, poolSize: 16 }),
  WORKER_CONCURRENCY: z.coerce.number().int().min(0).max(1_000).default(40).meta({
    description: 'Units one process works on at the same time; 0 makes it work on none.',
  }),
  UNIT_TIMEOUT_MS: z.coerce.number().int().min(100).max(180_000).default(120_000).meta({
    description: 'Longest a platform may take to answer one question.',
  }),
  UNIT_LEASE_MS: z.coerce.number().int().min(500).max(600_000).default(30_000).meta({
    description: 'How long a claim holds without a sign of life before another worker takes the unit.',
  }),
  UNIT_MAX_ATTEMPTS: z.coerce.number().int().min(1).max(20).default(4).meta({
    description: 'Attempts of a unit before it has failed.',
  }),
  RETRY_BASE_MS: z.coerce.number().int().min(1).max(60_000).default(2_000).meta({
    description: 'Wait after the first failed attempt; it doubles with every further one, up to a minute.',
  }),
  MAX_RESPONSE_BYTES: z.coerce.number().int().min(1_024).max(100_000_000).default(8_000_000).meta({
    description: "Largest answer of a platform's API that is read.",
  }),
  SCHEDULE_INTERVAL_MS: z.coerce.number().int().min(0).max(3_600_000).default(60_000).meta({
    description: 'How often daily scans that are due are looked for; 0 switches them off in this process.',
  }),
  ...platformFields,
  ...judgeFields,
});

export type Config = Readonly<z.infer<typeof ConfigSchema>>;

export const readConfig = (env: NodeJS.ProcessEnv = process.env): Config => read('scans', ConfigSchema, env);
