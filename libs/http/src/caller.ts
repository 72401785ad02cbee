import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { prepareHmac } from '@bv/crypto';
import type { Hmac } from '@bv/crypto';

/** The header in which the gateway passes the verified caller to the services. */
export const callerHeader = 'x-bv-caller';

const Caller = z.object({
  requestId: z.string(),
  keyId: z.string(),
  keyPrefix: z.string(),
  owner: z.object({ kind: z.enum(['organisation', 'partner', 'operator']), id: z.string() }),
  orgId: z.string().nullable(),
  link: z
    .object({ scope: z.enum(['owner', 'read_only', 'read_write']), externalRef: z.string().nullable() })
    .nullable(),
  scopes: z.array(z.enum(['read', 'write'])),
  operation: z.string(),
  /** Identity of a write across retries; null where nothing is recorded. */
  operationId: z.string().nullable(),
  /** Milliseconds since the epoch. */
  expiresAt: z.number(),
});

export type Caller = z.infer<typeof Caller>;

/** How long a header stays valid after the gateway has stopped waiting for the response. */
export const callerGraceMs = 10_000;

/** `base64url(JSON).base64url(HMAC-SHA256)`. */
export function signCaller(caller: Caller, secret: string): string {
  const payload = Buffer.from(JSON.stringify(caller)).toString('base64url');
  return `${payload}.${signature(payload, secret)}`;
}

/**
 * Returns the caller in a header. Undefined when the header has no valid signature, has expired or is malformed.
 * Several secrets are accepted, so that they can be rotated without downtime.
 */
export function verifyCaller(
  header: string | undefined,
  secrets: readonly string[],
  now: number = Date.now(),
): Caller | undefined {
  const [payload, signed, ...rest] = header?.split('.') ?? [];
  if (!payload || !signed || rest.length > 0) return undefined;
  const received = Buffer.from(signed);
  const matches = secrets.some((secret) => equal(received, Buffer.from(signature(payload, secret))));
  if (!matches) return undefined;
  const caller = Caller.safeParse(parseJson(Buffer.from(payload, 'base64url').toString()));
  return caller.success && caller.data.expiresAt > now ? caller.data : undefined;
}

function signature(payload: string, secret: string): string {
  // An empty secret would make every header forgeable.
  if (secret === '') throw new Error('the caller secret is empty');
  return getHmac(secret)(payload, 'base64url');
}

const prepared = new Map<string, Hmac>();

function getHmac(secret: string): Hmac {
  const existing = prepared.get(secret);
  if (existing !== undefined) return existing;
  const hmac = prepareHmac(Buffer.from(secret));
  prepared.set(secret, hmac);
  return hmac;
}

function equal(received: Buffer, expected: Buffer): boolean {
  return received.length === expected.length && timingSafeEqual(received, expected);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
