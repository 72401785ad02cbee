import { z } from 'zod';
import { platformFields } from './platform-config.ts';

const Port = z.coerce.number().int().min(0).max(65_535);
const List = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(z.array(z.string().min(1)).min(1));

/** The environment of this service. */
export const ConfigSchema = z.object({
  SERVICE_HOST: z.string().default('127.0.0.1').meta({ description: 'Address the service listens on.' }),
  PORT: Port.default(8084).meta({ description: 'Port of the API, for the gateway alone.' }),
  MONITORING_PORT: Port.default(9084).meta({ description: 'Port of the probes and metrics.' }),
  DATABASE_URL: z.string().min(1).meta({ description: 'Postgres, as the role bv_scans.' }),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(2).max(200).default(16).meta({
    description: 'Most Postgres connections of one process.',
  }),
  NATS_URL: z.string().min(1).meta({ description: 'NATS servers, separated by commas.' }),
  CALLER_SECRETS: List.meta({
    description: "Secrets of the gateway's caller header, separated by commas.",
  }),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error']).default('info').meta({
    description: 'Least level that is logged.',
  }),
  CHECK_RESPONSES: z.stringbool().default(false).meta({
    description: 'Compare every answer with the contract; for tests and local stacks.',
  }),
  DRAIN_MS: z.coerce.number().int().min(0).max(60_000).default(3_000).meta({
    description: 'Milliseconds of serving on after readiness goes off.',
  }),
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
});

export type Config = Readonly<z.infer<typeof ConfigSchema>>;

/** Reads and checks the environment; throws naming every variable that is wrong. */
export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  return Object.freeze(ConfigSchema.parse(env));
}
