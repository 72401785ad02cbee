import { defaultMarkets } from '@bv/contract';
import { z } from 'zod';

const Port = z.coerce.number().int().min(0).max(65_535);
const List = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(z.array(z.string().min(1)).min(1));

/** `id:base64` pairs of 32-byte keys. */
const Keys = List.transform((pairs, ctx) =>
  pairs.map((pair) => {
    const [id = '', secret = ''] = pair.split(':', 2);
    const key = Buffer.from(secret, 'base64');
    if (!/^\d{1,3}$/.test(id) || Number(id) > 255 || key.length !== 32) {
      ctx.addIssue({ code: 'custom', message: 'expected id:base64 with an id of 0 to 255 and 32 bytes' });
    }
    return { id: Number(id), key };
  }),
);

const Markets = List.pipe(z.array(z.string().regex(/^[A-Z]{2}$/, 'expected two upper-case letters')));

/** The environment of this service. */
export const ConfigSchema = z.object({
  SERVICE_HOST: z.string().default('127.0.0.1').meta({ description: 'Address the service listens on.' }),
  PORT: Port.default(8081).meta({ description: 'Port of the API, for the gateway alone.' }),
  MONITORING_PORT: Port.default(9081).meta({ description: 'Port of the probes and metrics.' }),
  DATABASE_URL: z.string().min(1).meta({ description: 'Postgres, as the role bv_catalog.' }),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(2).max(200).default(10).meta({
    description: 'Most Postgres connections of one process.',
  }),
  NATS_URL: z.string().min(1).meta({ description: 'NATS servers, separated by commas.' }),
  CALLER_SECRETS: List.meta({ description: "Secrets of the gateway's caller header, separated by commas." }),
  CURSOR_KEYS: Keys.meta({
    description: 'Cursor keys as id:base64, separated by commas; the first encrypts.',
  }),
  MARKETS: Markets.default([...defaultMarkets]).meta({
    description: 'Countries that are scanned (ISO 3166-1 alpha-2), separated by commas.',
  }),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info').meta({
    description: 'Least level that is logged.',
  }),
  NODE_ENV: z.string().default('production').meta({
    description: 'development writes the log for people.',
  }),
  CHECK_RESPONSES: z.stringbool().default(false).meta({
    description: 'Compare every answer with the contract; for tests and local stacks.',
  }),
  DRAIN_MS: z.coerce.number().int().min(0).max(60_000).default(3_000).meta({
    description: 'Milliseconds of serving on after readiness goes off.',
  }),
});

export type Config = Readonly<z.infer<typeof ConfigSchema>>;

/** Reads and checks the environment; throws one error that names every wrong variable, never its value. */
export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  const parsed = ConfigSchema.safeParse(env);
  if (parsed.success) return Object.freeze(parsed.data);
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`configuration of catalog: ${problems.join('; ')}`);
}
