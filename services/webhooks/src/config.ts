import { Resolver } from 'node:dns';
import { flag, integer, keyRing, milliseconds, numberedKeyRing, serviceFields, splitList } from '@bv/service';
import { developmentSubject, readSettings, subject } from '@bv/settings';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';

/** Lets the resolver parse the address. */
function isNameServer(text: string): boolean {
  try {
    new Resolver().setServers([text]);
    return true;
  } catch {
    return false;
  }
}

const isCidr = (text: string): boolean => ipaddr.isValidCIDR(text);

const listen = {
  ...subject('Role', {
    ROLE: z.enum(['api', 'dispatcher', 'all']).default('all').meta({
      description:
        '`api` serves operations and consumes events, `dispatcher` sends deliveries, `all` does both.',
    }),
  }),
  ...serviceFields({ port: 8084, monitoringPort: 9084, poolSize: 10 }),
};

const keys = {
  CURSOR_KEYS: numberedKeyRing(
    'Keys of the cursors, `id:base64` of 32 bytes, separated by commas; the first encrypts.',
  ),
  WEBHOOKS_SECRET_KEYS: keyRing(
    /^[\w-]{1,20}$/,
    'Keys that encrypt endpoint secrets, `id:base64` of 32 bytes; the first encrypts, all decrypt. Secrets of other keys are re-encrypted with the first.',
  ),
  WEBHOOKS_SECRET_OVERLAP_MS: integer(86_400_000, 'How long the old secret also signs after a rotation.'),
};

const network = {
  WEBHOOKS_DNS_SERVERS: z
    .string()
    .default('')
    .transform(splitList)
    .pipe(z.array(z.string().refine(isNameServer, 'expected address[:port], separated by commas')))
    .meta({
      description: "Name servers, address[:port] separated by commas; empty means the system's.",
    }),
  WEBHOOKS_EXTRA_CA: z
    .string()
    .optional()
    .meta({ description: 'PEM of certificate authorities to trust instead of the built-in ones.' }),
};

const privateReceivers = {
  WEBHOOKS_ALLOW_CIDRS: z
    .string()
    .default('')
    .transform(splitList)
    .pipe(z.array(z.string().refine(isCidr, 'expected CIDR ranges')))
    .meta({ description: 'Further ranges that count as public, separated by commas.' }),
  WEBHOOKS_ALLOW_HTTP: flag(false, 'Accept http receivers.'),
  WEBHOOKS_ALLOW_PRIVATE_IN_PRODUCTION: flag(
    false,
    'Required with the two settings above when NODE_ENV is production.',
  ),
};

const attempts = {
  WEBHOOKS_SCHEDULE_MS: z
    .string()
    .default('0,5000,300000,1800000,7200000,18000000,36000000,50400000,72000000,86400000')
    .transform((text) => splitList(text).map(Number))
    .pipe(z.array(z.number().int().min(0)).min(1).max(10))
    .meta({
      description: 'Delay before each attempt; one entry per attempt, at most 10.',
      form: 'integers',
    }),
  WEBHOOKS_JITTER_PERCENT: integer(20, 'Jitter of the delay, from the second retry on.', { max: 100 }),
  WEBHOOKS_RETRY_AFTER_MAX_MS: integer(86_400_000, 'Maximum `Retry-After` that is honoured.'),
  WEBHOOKS_DNS_TIMEOUT_MS: milliseconds(3_000, 'Deadline of resolving a host name.', { min: 1 }),
  WEBHOOKS_CONNECT_TIMEOUT_MS: milliseconds(5_000, 'Deadline of connecting, TLS included.', { min: 1 }),
  WEBHOOKS_TOTAL_TIMEOUT_MS: milliseconds(15_000, 'Deadline of an attempt, response included.', { min: 1 }),
  WEBHOOKS_CONNECTION_MS: milliseconds(
    30_000,
    'Maximum life of a connection to a receiver, with the deadline of its last attempt; then its name is resolved and checked again. 0 opens one for each attempt.',
  ),
  WEBHOOKS_RESPONSE_MAX_BYTES: integer(16_384, 'Maximum bytes read of a response.', { min: 1 }),
};

const concurrency = {
  WEBHOOKS_PER_ENDPOINT: integer(10, 'Attempts in flight per endpoint, over all dispatchers.', { min: 1 }),
  WEBHOOKS_PER_PARTNER: integer(50, 'Attempts in flight per partner, over all dispatchers.', { min: 1 }),
  WEBHOOKS_PER_PROCESS: integer(200, 'Attempts in flight per dispatcher.', { min: 1 }),
};

const queue = {
  WEBHOOKS_LEASE_MS: integer(60_000, 'Lease of a delivery.', { min: 1 }),
  WEBHOOKS_POLL_MS: milliseconds(100, 'Poll interval when no delivery is due.', { min: 1 }),
  WEBHOOKS_EXPIRED_LEASES_MS: milliseconds(
    10_000,
    'Poll interval for expired leases, and for endpoints whose secret cannot be decrypted.',
    { min: 1 },
  ),
  WEBHOOKS_MEASURE_MS: milliseconds(15_000, 'Interval of measuring the backlog.', { min: 1 }),
  WEBHOOKS_STOP_GRACE_MS: milliseconds(6_000, 'How long attempts in flight may continue after a stop.'),
};

const failures = {
  WEBHOOKS_FAILING_AFTER_MS: integer(
    432_000_000,
    'An endpoint becomes `failing` after only failures for this long ...',
  ),
  WEBHOOKS_FAILING_MIN_FAILURES: integer(10, '... and at least this many of them.', { min: 1 }),
  WEBHOOKS_BREAKER_FAILURES: integer(10, "Consecutive failures that open an endpoint's circuit breaker.", {
    min: 1,
  }),
  WEBHOOKS_BREAKER_WINDOW_MS: integer(300_000, 'Window of the failure share.', { min: 1 }),
  WEBHOOKS_BREAKER_SHARE_PERCENT: integer(
    70,
    'Share of failures in the window that opens the circuit breaker, with 10 or more attempts.',
    { min: 1 },
  ),
  WEBHOOKS_BREAKER_OPEN_MS: integer(
    30_000,
    'How long the circuit breaker is open at first; doubles up to the maximum.',
    { min: 1 },
  ),
  WEBHOOKS_BREAKER_OPEN_MAX_MS: integer(
    1_800_000,
    'Maximum time the circuit breaker is open before a probe.',
    { min: 1 },
  ),
};

const retention = {
  WEBHOOKS_RETENTION_DAYS: integer(30, 'How long events and deliveries are kept.', { min: 1 }),
  WEBHOOKS_PRUNE_MS: milliseconds(
    3_600_000,
    'Interval of deleting older rows, and of re-encrypting secrets of older keys.',
    { min: 1 },
  ),
};

/** The environment of this service. */
export const ConfigSchema = z
  .object({
    ...listen,
    ...subject('Keys', keys),
    ...subject('Network', network),
    ...subject('Attempts', attempts),
    ...subject('Concurrency', concurrency),
    ...subject('Queue of deliveries', queue),
    ...subject('Failing endpoints', failures),
    ...subject('Retention', retention),
    ...subject(developmentSubject, privateReceivers),
  })
  .refine((env) => env.WEBHOOKS_LEASE_MS > env.WEBHOOKS_TOTAL_TIMEOUT_MS, {
    path: ['WEBHOOKS_LEASE_MS'],
    message: 'a lease must be longer than the deadline of an attempt',
  })
  .superRefine((env, ctx) => {
    if (env.NODE_ENV !== 'production' || env.WEBHOOKS_ALLOW_PRIVATE_IN_PRODUCTION) return;
    const insecure = [
      ...(env.WEBHOOKS_ALLOW_CIDRS.length > 0 ? ['WEBHOOKS_ALLOW_CIDRS'] : []),
      ...(env.WEBHOOKS_ALLOW_HTTP ? ['WEBHOOKS_ALLOW_HTTP'] : []),
    ];
    for (const name of insecure) {
      const message = 'not allowed in production without WEBHOOKS_ALLOW_PRIVATE_IN_PRODUCTION=true';
      ctx.addIssue({ code: 'custom', path: [name], message });
    }
  });

export type Config = Readonly<z.output<typeof ConfigSchema>>;

export const readConfig = (env: NodeJS.ProcessEnv = process.env): Config =>
  readSettings('webhooks', ConfigSchema, env);
