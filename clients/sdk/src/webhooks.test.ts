import { describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook, type WebhookVerificationError } from './webhooks.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const now = Date.parse('2026-11-21T03:00:00Z');
const id = 'evt_1';
const body = JSON.stringify({ id, type: 'endpoint.ping', data: { endpoint_id: 'é' } });

const signed = (text = body, by: string[] = [secret], at = now) => ({
  'webhook-id': id,
  'webhook-timestamp': `${Math.floor(at / 1000)}`,
  // Signs with another implementation of the standard.
  'webhook-signature': by.map((one) => new Webhook(one).sign(id, new Date(at), text)).join(' '),
});
const getReason = async (verified: Promise<unknown>) =>
  ((await verified.catch((error: unknown) => error)) as WebhookVerificationError).reason;

describe('a delivery of the service', () => {
  test.each([
    ['headers as a record', signed(), body],
    [
      'headers of any case',
      {
        'Webhook-Id': id,
        'WEBHOOK-TIMESTAMP': signed()['webhook-timestamp'],
        'Webhook-Signature': signed()['webhook-signature'],
      },
      body,
    ],
    ['fetch headers', new Headers(signed()), body],
    ['bytes', signed(), Buffer.from(body)],
    ['two signatures, ours second', signed(body, [other, secret]), body],
  ])('%s', async (_what, headers, received) => {
    const event = await verifyWebhook({ headers, body: received }, secret, { now });
    expect(event.type === 'endpoint.ping' && event.data.endpoint_id).toBe('é');
  });

  test('either secret of a rotation', async () => {
    await expect(verifyWebhook({ headers: signed(), body }, [other, secret], { now })).resolves.toBeDefined();
  });
});

describe('anything else is rejected', () => {
  test.each([
    ['another secret', signed(body, [other]), body, 'signature_mismatch'],
    ['a changed body', signed(), `${body} `, 'signature_mismatch'],
    ['another id', { ...signed(), 'webhook-id': 'evt_2' }, body, 'signature_mismatch'],
    [
      'garbage for a signature',
      { ...signed(), 'webhook-signature': 'v1,%%% v1, v2,abc' },
      body,
      'signature_mismatch',
    ],
    [
      'a truncated signature',
      { ...signed(), 'webhook-signature': signed()['webhook-signature'].slice(0, 20) },
      body,
      'signature_mismatch',
    ],
    ['no signature', { ...signed(), 'webhook-signature': undefined }, body, 'missing_header'],
    ['no id', { ...signed(), 'webhook-id': '' }, body, 'missing_header'],
    [
      'a repeat of six minutes ago',
      signed(body, [secret], now - 360_000),
      body,
      'timestamp_outside_tolerance',
    ],
    ['a timestamp of the future', signed(body, [secret], now + 360_000), body, 'timestamp_outside_tolerance'],
    [
      'an invalid timestamp',
      { ...signed(), 'webhook-timestamp': '0x10' },
      body,
      'timestamp_outside_tolerance',
    ],
    ['signed text that is not JSON', signed('{'), '{', 'invalid_payload'],
    ['signed null', signed('null'), 'null', 'invalid_payload'],
  ])('%s', async (_what, headers, received, reason) => {
    expect(await getReason(verifyWebhook({ headers, body: received }, secret, { now }))).toBe(reason);
  });

  test('more signatures than any valid delivery has', async () => {
    const headers = signed(body, [...Array.from({ length: 10 }, () => other), secret]);
    expect(await getReason(verifyWebhook({ headers, body }, secret, { now }))).toBe('signature_mismatch');
  });

  test('an invalid secret throws a TypeError instead of a verification error', async () => {
    await expect(verifyWebhook({ headers: signed(), body }, 'whsec_', { now })).rejects.toBeInstanceOf(
      TypeError,
    );
  });
});

test('a parsed body and a missing secret are named', async () => {
  const parsed = { headers: signed(), body: JSON.parse(body) as string };
  await expect(verifyWebhook(parsed, secret, { now })).rejects.toThrow(/^pass the body as received/);
  const delivery = { headers: signed(), body };
  for (const none of [undefined as unknown as string, '', []]) {
    await expect(verifyWebhook(delivery, none, { now })).rejects.toThrow('pass the secret');
  }
});
