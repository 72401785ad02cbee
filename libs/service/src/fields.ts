import { developmentSubject, natsUrls, postgresUrl, subject } from '@bv/settings';
import { z } from 'zod';

/** Zod fields, one per environment variable, with the description for docs/configuration.md. */

export const port = (fallback: number, description: string) =>
  z.coerce.number().int().min(0).max(65_535).default(fallback).meta({ description });

/** An integer from `min` (default 0) to `max`. */
export const integer = (
  fallback: number,
  description: string,
  { min = 0, max = Number.MAX_SAFE_INTEGER }: { min?: number; max?: number } = {},
) => z.coerce.number().int().min(min).max(max).default(fallback).meta({ description });

/** The longest delay of a timer. A longer one would end at once. */
const maxTimerMs = 2 ** 31 - 1;

/** Milliseconds of a timer, from `min` (default 0) to `max`. */
export const milliseconds = (
  fallback: number,
  description: string,
  { min = 0, max = maxTimerMs }: { min?: number; max?: number } = {},
) => integer(fallback, description, { min, max });

export const flag = (fallback: boolean, description: string) =>
  z.stringbool().default(fallback).meta({ description });

/** Splits `a, b,c` into its entries and omits empty ones. */
export const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

export type SecretKey = { id: string; key: Buffer };

/** A key ring `id:base64,id:base64` of 32-byte keys. The first is current, the others are still accepted. */
export const keyRing = (idPattern: RegExp, description: string) =>
  z
    .string()
    .transform((text, ctx): SecretKey[] => {
      const keys = splitList(text).map((entry) => {
        const [id = '', encoded = ''] = entry.split(/:(.*)/s);
        return { id, key: Buffer.from(encoded, 'base64') };
      });
      const isValid = keys.every(({ id, key }) => idPattern.test(id) && key.length === 32);
      const isDistinct = new Set(keys.map(({ id }) => id)).size === keys.length;
      if (keys.length === 0 || !isValid || !isDistinct) {
        ctx.addIssue({ code: 'custom', message: 'expected id:base64 of 32 bytes, each id once' });
      }
      return keys;
    })
    .meta({ description, form: 'keys' });

const oneByte = /^(?:0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])$/;

/** A key ring with ids of 0 to 255, because tokens and hashes store the id in one byte. */
export const numberedKeyRing = (description: string) =>
  keyRing(oneByte, description)
    .transform((keys) => keys.map(({ id, key }) => ({ id: Number(id), key })))
    .meta({ description, form: 'keys' });

const secretMinLength = 16;

const callerSecrets = z
  .string()
  .transform(splitList)
  .pipe(z.array(z.string().min(secretMinLength)).min(1))
  .meta({
    description: `Secrets of the gateway's caller header, of at least ${secretMinLength} characters, separated by commas; the first signs, all are accepted.`,
    form: 'secrets',
  });

/** The settings of every service. `LOG_LEVEL` is any pino level, or `silent`. */
export const serviceFields = (defaults: { port: number; monitoringPort: number; poolSize: number }) => ({
  ...subject('Addresses', {
    SERVICE_HOST: z.string().default('127.0.0.1').meta({ description: 'Address the service listens on.' }),
    PORT: port(defaults.port, 'Port of the API.'),
    MONITORING_PORT: port(defaults.monitoringPort, 'Port of the probes and metrics.'),
  }),
  ...subject('Data stores', {
    DATABASE_URL: postgresUrl(
      'Postgres, as the role of this service: `postgres://user:password@host:port/database`.',
    ),
    DATABASE_POOL_SIZE: integer(
      defaults.poolSize,
      'Maximum connections of a Postgres pool. A process has one pool, a gateway two.',
      { min: 2, max: 200 },
    ),
    NATS_URL: natsUrls('NATS servers with JetStream: `nats://` or `tls://` URLs, separated by commas.'),
    NATS_CREDS_FILE: z.string().optional().meta({
      description: 'Credentials file (`.creds`) for NATS, or a file with the seed of an NKey.',
    }),
    NATS_REPLICAS: z.coerce.number().int().min(1).max(5).optional().meta({
      description:
        'Replicas of the event stream in a NATS cluster. Changes an existing stream; not set: keeps it.',
    }),
  }),
  ...subject('Secrets', { CALLER_SECRETS: callerSecrets }),
  ...subject('Process', {
    DRAIN_MS: milliseconds(3_000, 'How long the process serves after it becomes not ready.', {
      max: 60_000,
    }),
    LOG_LEVEL: z
      .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
      .default('info')
      .meta({ description: 'Minimum log level.' }),
  }),
  ...subject(developmentSubject, {
    CHECK_RESPONSES: flag(false, 'Validate every response by the contract.'),
    NODE_ENV: z
      .string()
      .default('production')
      .meta({ description: '`development` writes a readable log instead of JSON.' }),
  }),
});

const common = z.object(serviceFields({ port: 0, monitoringPort: 0, poolSize: 2 }));
export type ServiceConfig = Readonly<z.output<typeof common>>;

export const natsOptions = (config: ServiceConfig) => ({
  url: config.NATS_URL,
  credsFile: config.NATS_CREDS_FILE,
  streamReplicas: config.NATS_REPLICAS,
});
