import { z } from 'zod';

const Port = z.coerce.number().int().min(0).max(65_535);
const List = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(z.array(z.string().min(1)).min(1));

/** `id:base64` pairs of 32-byte keys. */
const Keys = List.transform((pairs, ctx) =>
  pairs.map((pair) => {
    const [id, secret] = pair.split(':', 2);
    const key = Buffer.from(secret ?? '', 'base64');
    if (!/^\d{1,3}$/.test(id ?? '') || Number(id) > 255 || key.length !== 32) {
      ctx.addIssue({ code: 'custom', message: 'expected id:base64 with an id of 0 to 255 and 32 bytes' });
    }
    return { id: Number(id), key };
  }),
);

/** The environment of this service. */
export const ConfigSchema = z.object({
  SERVICE_HOST: z.string().default('127.0.0.1').meta({ description: 'Address the service listens on.' }),
  PORT: Port.default(8082).meta({ description: 'Port of the API, for the gateway alone.' }),
  MONITORING_PORT: Port.default(9082).meta({ description: 'Port of the probes and metrics.' }),
  DATABASE_URL: z.string().min(1).meta({ description: 'Postgres, as the role bv_results.' }),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(200).default(10).meta({
    description: 'Most Postgres connections of one process.',
  }),
  NATS_URL: z.string().min(1).meta({ description: 'NATS servers, separated by commas.' }),
  CALLER_SECRETS: List.meta({ description: "Secrets of the gateway's caller header, separated by commas." }),
  CURSOR_KEYS: Keys.meta({
    description: 'Cursor keys as id:base64, separated by commas; the first encrypts.',
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
});

export type Config = Readonly<z.infer<typeof ConfigSchema>>;

/** Reads and checks the environment; throws naming every variable that is wrong. */
export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  return Object.freeze(ConfigSchema.parse(env));
}
