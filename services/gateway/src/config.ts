import { flag, integer, milliseconds, numberedKeyRing, port, serviceFields } from '@bv/service';
import {
  baseUrl,
  developmentSubject,
  httpUrl,
  readSettings,
  redisUrl,
  sentinelUrls,
  subject,
} from '@bv/settings';
import { z } from 'zod';

const origin = (description: string) =>
  httpUrl(description)
    .transform((url) => new URL(url).origin)
    .meta({ description, form: 'URL' });

const operatorApi = {
  OPERATOR_HOST: z
    .string()
    .default('127.0.0.1')
    .meta({ description: 'Address the operator API listens on; never reachable from the ingress.' }),
  OPERATOR_PORT: port(8090, 'Port of the operator API.'),
  OPERATOR_TOKEN: z
    .string()
    .min(16)
    .meta({ description: 'Bearer token of the operator API.', form: 'secret' }),
  APPLY_TIMEOUT_MS: milliseconds(
    10_000,
    'Maximum wait of an operator API change for every service to apply it.',
    { min: 1 },
  ),
};

const redis = {
  REDIS_URL: redisUrl(
    'Redis of the counters, `redis://` or `rediss://` (TLS), one URL. Its maxmemory-policy must be noeviction. In cluster mode all counters have one hash tag and live on one shard.',
  ),
  REDIS_SENTINELS: sentinelUrls(
    'Sentinels, `redis://` or `rediss://` URLs separated by commas; the first has the password of all. They replace the host of REDIS_URL.',
  ).optional(),
  REDIS_MASTER_NAME: z
    .string()
    .default('mymaster')
    .meta({ description: 'Name that the sentinels have for the primary.' }),
  REDIS_TIMEOUT_MS: milliseconds(
    150,
    'A request that could not be counted within this time is refused, and never charged later. Less than UPSTREAM_TIMEOUT_MS.',
    { min: 1 },
  ),
  REDIS_ALLOW_EVICTION: flag(false, 'Count although Redis may evict counters, which gives quota away.'),
};

const services = {
  CATALOG_URL: origin('Base address of the catalog service.'),
  RESULTS_URL: origin('Base address of the results service.'),
  SCANS_URL: origin('Base address of the scans service.'),
  WEBHOOKS_URL: origin('Base address of the webhooks service.'),
};

const keys = {
  CURSOR_KEYS: numberedKeyRing(
    'Keys of the cursors, `id:base64` of 32 bytes, separated by commas; the first encrypts.',
  ),
  KEY_PEPPERS: numberedKeyRing(
    'Peppers of the API key hashes, `id:base64` of 32 bytes; the first is current.',
  ),
  IDEMPOTENCY_KEYS: numberedKeyRing(
    'Keys that encrypt stored responses, `id:base64` of 32 bytes; the first is current.',
  ),
};

const requests = {
  PUBLIC_URL: baseUrl(
    'Address of the gateway that clients use, for the OpenAPI documents and the pages.',
  ).optional(),
  TRUSTED_PROXY_COUNT: integer(
    0,
    'Proxies in front that append to X-Forwarded-For; 0 takes the address of the socket.',
  ),
  FAILED_ATTEMPTS_PER_MINUTE: integer(20, 'Rejected keys that an address may present in a minute.'),
  BODY_TIMEOUT_MS: milliseconds(
    10_000,
    'Deadline of a request body after its headers; then the connection is closed.',
    { min: 1 },
  ),
  UPSTREAM_TIMEOUT_MS: milliseconds(
    30_000,
    "Maximum wait for a service's response, and for a client that reads slowly.",
    { min: 1 },
  ),
  EDGE_DATABASE_TIMEOUT_MS: milliseconds(
    1_000,
    'A request whose key, quota or idempotency record Postgres did not read within this time is refused instead of queued. Less than UPSTREAM_TIMEOUT_MS.',
    { min: 1 },
  ),
  IDEMPOTENCY_LEASE_MS: z.coerce.number().int().min(100).optional().meta({
    description: 'Lease of an idempotency record without renewal; default: the upstream timeout plus 10 s.',
  }),
  USAGE_FLUSH_MS: milliseconds(
    1_000,
    'Interval of writing charged requests to the table that `/usage` reads.',
    { min: 1 },
  ),
};

const files = {
  OPENAPI_PATH: z
    .string()
    .default('docs/openapi.json')
    .meta({ description: 'File served as /openapi.json, /openapi-clients.json and /openapi-3.0.json.' }),
  DOCS_PATH: z
    .string()
    .default('docs')
    .meta({ description: 'Folder of the documentation: the built sites, guides and packages of clients.' }),
  EXPLORER_PATH: z
    .string()
    .default('clients/explorer/dist/page')
    .meta({ description: 'Folder of the page that is served as /explore.' }),
};

export const ConfigSchema = z.object({
  ...serviceFields({ port: 8080, monitoringPort: 9080, poolSize: 10 }),
  ...subject('Services behind the gateway', services),
  ...subject('Redis', redis),
  ...subject('Keys', keys),
  ...subject('Operator API', operatorApi),
  ...subject('Requests', requests),
  ...subject(developmentSubject, files),
});

export type Config = Readonly<z.output<typeof ConfigSchema>> & { readonly idempotencyLeaseMs: number };

/** A request that waits for the edge longer than for its service would be refused too late to be repeated. */
const checkDeadlines = (config: z.output<typeof ConfigSchema>, ctx: z.RefinementCtx): void => {
  for (const name of ['EDGE_DATABASE_TIMEOUT_MS', 'REDIS_TIMEOUT_MS'] as const) {
    if (config[name] >= config.UPSTREAM_TIMEOUT_MS)
      ctx.addIssue({ code: 'custom', path: [name], message: 'expected less than UPSTREAM_TIMEOUT_MS' });
  }
};

/** The only reader of the environment. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const config = readSettings('gateway', ConfigSchema.superRefine(checkDeadlines), env);
  const idempotencyLeaseMs = config.IDEMPOTENCY_LEASE_MS ?? config.UPSTREAM_TIMEOUT_MS + 10_000;
  return Object.freeze({ ...config, idempotencyLeaseMs });
}
