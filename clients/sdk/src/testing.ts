/** For tests of webhook receivers: `@bv/sdk/testing`. */
import { importSecret, signedContent } from './signature.ts';

export type SignOptions = {
  /** `webhook-id` of the delivery. Default: the `id` of the event, or else a random one. */
  id?: string | undefined;
  /** Milliseconds since the epoch. Replaces the clock. */
  now?: number | undefined;
};

export type SignedDelivery = {
  headers: {
    'content-type': 'application/json';
    'webhook-id': string;
    'webhook-timestamp': string;
    'webhook-signature': string;
  };
  body: string;
};

/** Headers and body of a delivery as the service sends it. With several secrets it has one signature for each. */
export async function signWebhook(
  event: string | object,
  secret: string | readonly string[],
  { id, now = Date.now() }: SignOptions = {},
): Promise<SignedDelivery> {
  const body = typeof event === 'string' ? event : JSON.stringify(event);
  const eventId = typeof event === 'object' && 'id' in event ? String(event.id) : undefined;
  const deliveryId = id ?? eventId ?? crypto.randomUUID();
  const timestamp = String(Math.floor(now / 1000));
  const content = signedContent(deliveryId, timestamp, body);
  const signatures: string[] = [];
  for (const one of typeof secret === 'string' ? [secret] : secret) {
    const signature = await crypto.subtle.sign('HMAC', await importSecret(one, 'sign'), content);
    signatures.push(`v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`);
  }
  return {
    headers: {
      'content-type': 'application/json',
      'webhook-id': deliveryId,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatures.join(' '),
    },
    body,
  };
}
