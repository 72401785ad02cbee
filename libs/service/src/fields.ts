import { natsUrls, postgresUrl } from '@bv/settings';
import { z } from 'zod';

/** What environments are made of: one variable each, described for docs/configuration.md. */

export const port = (fallback: number, description: string) =>
  z.coerce.number().int().min(0).max(65_535).default(fallback).meta({ description });

/** A whole number, 0 or more unless told otherwise. */
export const whole = (
  fallback: number,
  description: string,
  { min = 0, max = Number.MAX_SAFE_INTEGER }: { min?: number; max?: number } = {},
) => z.coerce.number().int().min(min).max(max).default(fallback).meta({ description });

export const flag = (fallback: boolean, description: string) =>
  z.stringbool().default(fallback).meta({ description });

/** `a, b,c` as its entries; empty ones are left out. */
export const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

export type SecretKey = { id: string; key: Buffer };

/** `id:base64,id:base64` of 32-byte keys: the first is current, the others are still accepted. */
export const keyRing = (idPattern: RegExp, description: string) =>
  z
    .string()
    .transform((text, ctx): SecretKey[] => {
      const keys = splitList(text).map((entry) => {
        const [id = '', encoded = ''] = entry.split(/:(.*)/s);
        return { id, key: Buffer.from(encoded, 'base64') };
      });
      const sound = keys.every(({ id, key }) => idPattern.test(id) && key.length === 32);
      const distinct = new Set(keys.map(({ id }) => id)).size === keys.length;
      if (keys.length === 0 || !sound || !distinct) {
        ctx.addIssue({ code: 'custom', message: 'expected id:base64 of 32 bytes, each id once' });
      }
      return keys;
    })
    .meta({ description });

const oneByte = /^(?:0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])$/;

/** The same with ids of 0 to 255, which fit into the one byte that tokens and hashes keep of them. */
export const numberedKeyRing = (description: string) =>
  keyRing(oneByte, description)
    .transform((keys) => keys.map(({ id, key }) => ({ id: Number(id), key })))
    .meta({ description });

const secretMinLength = 16;

/** What every service is told. `LOG_LEVEL` is any pino level, or `silent`. */
export const serviceFields = (defaults: { port: number; monitoringPort: number; poolSize: number }) => ({
  SERVICE_HOST: z.string().default('127.0.0.1').meta({ description: 'Address the service listens on.' }),
  PORT: port(defaults.port, 'Port of the API.'),
  MONITORING_PORT: port(defaults.monitoringPort, 'Port of the probes and metrics.'),
  DATABASE_URL: postgresUrl(
    'Postgres, as the role of this service: `postgres://user:password@host:port/database`.',
  ),
  DATABASE_POOL_SIZE: whole(
    defaults.poolSize,
    'Maximum connections of a Postgres pool. A process has one pool, a gateway two.',
    { min: 2, max: 200 },
  ),
  NATS_URL: natsUrls('NATS servers with JetStream: `nats://` or `tls://` URLs, separated by commas.'),
  CALLER_SECRETS: z
    .string()
    .transform(splitList)
    .pipe(z.array(z.string().min(secretMinLength)).min(1))
    .meta({
      description: `Secrets of the gateway's caller header, of at least ${secretMinLength} characters, separated by commas; the first signs, all are accepted.`,
    }),
  CHECK_RESPONSES: flag(false, 'Validate every response by the contract; for tests and local stacks.'),
  DRAIN_MS: whole(3_000, 'Milliseconds of serving after the process becomes not ready.', { max: 60_000 }),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .meta({ description: 'Minimum log level.' }),
  NODE_ENV: z
    .string()
    .default('production')
    .meta({ description: '`development` writes a readable log instead of JSON.' }),
});

const common = z.object(serviceFields({ port: 0, monitoringPort: 0, poolSize: 2 }));
export type ServiceConfig = Readonly<z.output<typeof common>>;
