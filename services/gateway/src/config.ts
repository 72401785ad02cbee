import { z } from 'zod';

const port = (fallback: number, description: string) =>
  z.coerce.number().int().min(0).max(65_535).default(fallback).meta({ description });
const whole = (fallback: number, description: string) =>
  z.coerce.number().int().min(0).default(fallback).meta({ description });
const origin = (description: string) =>
  z
    .url({ protocol: /^https?$/ })
    .transform((url) => new URL(url).origin)
    .meta({ description });

const list = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

export type SecretKey = { id: number; key: Buffer };

/** `id:base64,id:base64`: the first is current, the others are still accepted. */
const keyRing = (description: string) =>
  z
    .string()
    .transform((text, ctx): SecretKey[] => {
      const keys = list(text).map((entry) => {
        const [id = '', encoded = ''] = entry.split(/:(.*)/s);
        return { id: Number(id), key: Buffer.from(encoded, 'base64') };
      });
      const sound = keys.every(
        ({ id, key }) => Number.isInteger(id) && id >= 0 && id < 256 && key.length === 32,
      );
      const distinct = new Set(keys.map(({ id }) => id)).size === keys.length;
      if (keys.length === 0 || !sound || !distinct) {
        ctx.addIssue({ code: 'custom', message: 'expected id:base64 of 32 bytes, ids 0 to 255, each once' });
      }
      return keys;
    })
    .meta({ description });

const flag = (fallback: boolean, description: string) =>
  z.stringbool().default(fallback).meta({ description });

export const ConfigSchema = z.object({
  SERVICE_HOST: z
    .string()
    .default('127.0.0.1')
    .meta({ description: 'Address the public listener binds to.' }),
  PORT: port(8080, 'Port of the public API.'),
  OPERATOR_HOST: z
    .string()
    .default('127.0.0.1')
    .meta({ description: "Address the operator's listener binds to; never reachable from the ingress." }),
  OPERATOR_PORT: port(8090, "Port of the operator's plane."),
  OPERATOR_TOKEN: z
    .string()
    .min(16)
    .meta({ description: "Bearer token of the operator's plane, at least 16 characters." }),
  MONITORING_PORT: port(9080, 'Port of probes and metrics.'),
  DATABASE_URL: z.string().meta({ description: 'Postgres, as the role of this service.' }),
  DATABASE_POOL_SIZE: whole(10, 'Most connections of each of the two database pools.'),
  REDIS_URL: z
    .string()
    .meta({ description: 'Redis of the counters. Its maxmemory-policy must be noeviction.' }),
  REDIS_TIMEOUT_MS: whole(
    150,
    'After this long a request that could not be counted is refused, and never charged later.',
  ),
  REDIS_ALLOW_EVICTION: flag(false, 'Count although the Redis may evict counters (which gives quota away).'),
  NATS_URL: z.string().meta({ description: 'NATS with JetStream.' }),
  CATALOG_URL: origin('Base address of the catalog service.'),
  RESULTS_URL: origin('Base address of the results service.'),
  SCANS_URL: origin('Base address of the scans service.'),
  WEBHOOKS_URL: origin('Base address of the webhooks service.'),
  CALLER_SECRETS: z
    .string()
    .transform(list)
    .pipe(z.array(z.string().min(16)).min(1))
    .meta({ description: 'Secrets of the caller header, comma separated; the first signs.' }),
  CURSOR_KEYS: keyRing(
    'Keys of the cursors, `id:base64` of 32 bytes, comma separated; the first is current.',
  ),
  KEY_PEPPERS: keyRing('Peppers of the API key hashes, `id:base64` of 32 bytes; the first is current.'),
  IDEMPOTENCY_KEYS: keyRing(
    'Keys that encrypt stored answers, `id:base64` of 32 bytes; the first is current.',
  ),
  TRUSTED_PROXY_COUNT: whole(
    0,
    'Proxies in front that append to X-Forwarded-For; 0 takes the address of the socket.',
  ),
  FAILED_ATTEMPTS_PER_MINUTE: whole(20, 'Refused keys an address may present in a minute.'),
  BODY_TIMEOUT_MS: whole(10_000, 'A body not complete this long after its headers closes the connection.'),
  UPSTREAM_TIMEOUT_MS: whole(30_000, 'Longest wait for the answer of a service.'),
  APPLY_TIMEOUT_MS: whole(10_000, "Longest wait of an operator's change for every service to apply it."),
  IDEMPOTENCY_LEASE_MS: z.coerce
    .number()
    .int()
    .min(100)
    .optional()
    .meta({ description: 'How long a claim holds unless renewed; default: the upstream timeout and 10 s.' }),
  USAGE_FLUSH_MS: whole(1_000, 'How often charged requests are written to the ledger that /usage reads.'),
  OPENAPI_PATH: z
    .string()
    .default('docs/openapi.json')
    .meta({ description: 'File served as /openapi.json.' }),
  DOCS_PATH: z.string().default('docs/api.html').meta({ description: 'File served as /docs.' }),
  CHECK_RESPONSES: flag(false, 'Compare own answers with the contract.'),
  DRAIN_MS: whole(3_000, 'How long to serve on after readiness went off.'),
  LOG_LEVEL: z.string().default('info').meta({ description: 'Level of the log: a pino level or silent.' }),
  NODE_ENV: z.string().default('production').meta({ description: 'development writes the log for people.' }),
});

export type Config = Readonly<z.output<typeof ConfigSchema>> & { readonly idempotencyLeaseMs: number };

/** The only reader of the environment; throws one readable error that names every bad variable, never its value. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const parsed = ConfigSchema.safeParse(env);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`configuration of gateway: ${problems.join('; ')}`);
  }
  const idempotencyLeaseMs = parsed.data.IDEMPOTENCY_LEASE_MS ?? parsed.data.UPSTREAM_TIMEOUT_MS + 10_000;
  return Object.freeze({ ...parsed.data, idempotencyLeaseMs });
}
