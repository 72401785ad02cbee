import { BrandVisibilityError } from './errors.ts';
import type { WebhookEvents } from './generated/types.ts';
import { fromBase64, importSecret, signedContent } from './signature.ts';

export type WebhookEventType = keyof WebhookEvents;
/** Discriminated by `type`. Return 2xx for types that this version does not know, in the `default` of a `switch`. */
export type WebhookEvent = WebhookEvents[WebhookEventType];

export type WebhookRefusal =
  | 'missing_header'
  | 'timestamp_outside_tolerance'
  | 'signature_mismatch'
  | 'invalid_payload';

/** The request is not a valid delivery of the service. Return 400 and ignore it. */
export class WebhookVerificationError extends BrandVisibilityError {
  override readonly name: string = 'WebhookVerificationError';
  readonly reason: WebhookRefusal;

  constructor(reason: WebhookRefusal, message: string) {
    super(message);
    this.reason = reason;
  }
}

export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export type WebhookDelivery = {
  headers: WebhookHeaders;
  /** The body as received. Serialising a parsed body would change the signature. */
  body: string | Uint8Array;
};

export type VerifyOptions = {
  /** Maximum difference between the timestamp of the delivery and now, in both directions. Default 300. */
  toleranceSeconds?: number | undefined;
  /** Milliseconds since the epoch. Replaces the clock. */
  now?: number | undefined;
};

/** Two secrets sign for a day after a rotation. No valid delivery has more than a few signatures. */
const maxSignatures = 10;

function header(headers: WebhookHeaders, name: string): string {
  const { get } = headers as { get?: unknown };
  const value =
    typeof get === 'function'
      ? (headers as Headers).get(name)
      : Object.entries(headers as Record<string, string>).find(([key]) => key.toLowerCase() === name)?.[1];
  if (typeof value !== 'string' || value === '') {
    throw new WebhookVerificationError('missing_header', `the delivery has no ${name}`);
  }
  return value;
}

function checkTimestamp(written: string, { toleranceSeconds = 300, now = Date.now() }: VerifyOptions): void {
  const seconds = /^\d{1,12}$/.test(written) ? Number(written) : Number.NaN;
  // Negated, so that NaN is rejected too.
  if (!(Math.abs(now / 1000 - seconds) <= toleranceSeconds)) {
    throw new WebhookVerificationError(
      'timestamp_outside_tolerance',
      'the timestamp of the delivery is too far from now; check the clock',
    );
  }
}

async function isSigned(secrets: readonly string[], signatures: string, content: Uint8Array<ArrayBuffer>) {
  const candidates = signatures
    .split(' ')
    .slice(0, maxSignatures)
    .flatMap((entry) => (entry.startsWith('v1,') ? [fromBase64(entry.slice(3))] : []))
    .filter((signature) => signature !== undefined);
  for (const secret of secrets) {
    const key = await importSecret(secret, 'verify');
    for (const signature of candidates) {
      // WebCrypto compares in constant time.
      if (await crypto.subtle.verify('HMAC', key, signature, content)) return true;
    }
  }
  return false;
}

function parseEvent(body: string | Uint8Array): WebhookEvent {
  try {
    const text = typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body);
    const event = JSON.parse(text) as WebhookEvent | null;
    if (typeof event === 'object' && typeof event?.id === 'string' && typeof event.type === 'string')
      return event;
  } catch {
    // The error is thrown below.
  }
  throw new WebhookVerificationError(
    'invalid_payload',
    'the signature is valid, but the body is not an event',
  );
}

/**
 * Verifies a delivery (Standard Webhooks 1.0) and returns its event. Pass both secrets for the day after a rotation.
 * Deliveries may repeat: handle each `event.id` once.
 */
export async function verifyWebhook(
  delivery: WebhookDelivery,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const { headers, body } = delivery;
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
    throw new TypeError('pass the body as received, as text or bytes: a parsed body has no signature');
  }
  if (secret === undefined || secret.length === 0) throw new TypeError('pass the secret of the endpoint');
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const signatures = header(headers, 'webhook-signature');
  checkTimestamp(timestamp, options);
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (!(await isSigned(secrets, signatures, signedContent(id, timestamp, body)))) {
    throw new WebhookVerificationError(
      'signature_mismatch',
      'no signature of the delivery matches the secret',
    );
  }
  return parseEvent(body);
}
