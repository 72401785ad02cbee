import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { createWebhookEndpoint, listWebhookEndpoints } from '@bv/contract';
import { type Receiver, startReceiver } from '@bv/testkit';
import { DnsFailure } from '../src/dispatcher/resolve.ts';
import { startWebhooks, type Webhooks } from './start-webhooks.ts';

/** Addresses of the host names in this test. */
const names: Record<string, string[] | 'missing' | 'silent'> = {
  'public.example.com': ['93.184.215.14'],
  'private.example.com': ['10.0.0.7'],
  'mixed.example.com': ['93.184.215.14', '169.254.169.254'],
  'mixed6.example.com': ['2606:4700::1111', 'fd00::1'],
  'gone.example.com': 'missing',
  'silent.example.com': 'silent',
};
const resolveHost = async (hostname: string): Promise<string[]> => {
  const addresses = names[hostname] ?? 'missing';
  if (typeof addresses === 'string') throw new DnsFailure(hostname, addresses === 'missing', undefined);
  return addresses;
};

let webhooks: Webhooks;
let receiver: Receiver;
beforeAll(async () => {
  [webhooks, receiver] = await Promise.all([startWebhooks({}, { resolveHost }), startReceiver()]);
});
afterAll(async () => {
  await Promise.all([webhooks.stop(), receiver.close()]);
});

const create = (body: unknown, partnerId: string = randomUUID(), operationId: string = randomUUID()) =>
  webhooks.as(partnerId, createWebhookEndpoint, { body, caller: { operationId } });

describe('201', () => {
  test('returns the secret, starts unverified and sends a ping', async () => {
    const { status, data } = await create({ url: receiver.url, description: 'x'.repeat(500) });
    expect(status).toBe(201);
    expect(data).toEqual({
      id: expect.any(String),
      url: receiver.url,
      status: 'pending_verification',
      description: 'x'.repeat(500),
      consecutive_failures: 0,
      last_success_at: null,
      last_failure_at: null,
      events_secret_rotated_at: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    await receiver.waitFor(({ body: sent }) => sent.includes(data.id));
  });
  test('no table stores the secret unencrypted', async () => {
    const { data } = await create({ url: receiver.url });
    const { rows } = await webhooks.pool.query(
      `select (select string_agg(p::text, '') from processed_operations p)
        || (select string_agg(s::text, '') from endpoint_secrets s) as stored`,
    );
    expect(rows[0].stored).toContain(data.id);
    expect(rows[0].stored).not.toContain(data.secret.slice('whsec_'.length, -1));
  });
  test('a retried operation returns the same response with the secret, and creates nothing', async () => {
    const [partnerId, operationId] = [randomUUID(), randomUUID()];
    const first = await create({ url: receiver.url }, partnerId, operationId);
    const second = await create({ url: receiver.url }, partnerId, operationId);
    expect([second.status, second.body]).toEqual([201, first.body]);
    const { data } = await webhooks.as(partnerId, listWebhookEndpoints, {});
    expect(data).toHaveLength(1);
  });
  test.each(['public.example.com', 'silent.example.com'])('accepts %s', async (host) => {
    expect((await create({ url: `https://${host}/hook` })).status).toBe(201);
  });
});

describe('400 validation_error', () => {
  test.each([
    ['https://private.example.com/', 'url_not_public'],
    ['https://mixed.example.com/', 'url_not_public'],
    ['https://mixed6.example.com/', 'url_not_public'],
    ['https://gone.example.com/', 'url_not_public'],
    ['https://10.0.0.1/', 'url_not_public'],
    ['https://[::ffff:7f00:1]/', 'url_not_public'],
    ['https://metadata.google.internal/', 'url_not_public'],
    ['https://user:pass@public.example.com/', 'url_not_public'],
    ['https://public.example.com:22/', 'url_not_public'],
    ['not a url', 'invalid_format'],
    ['', 'too_small'],
    [`https://public.example.com/${'a'.repeat(2048)}`, 'too_big'],
  ])('%s is %s', async (url, code) => {
    const { refusal } = await create({ url });
    expect(refusal).toMatchObject({
      status: 400,
      code: 'validation_error',
      details: [{ path: 'url', code, message: expect.any(String) }],
    });
  });
  test('the body is strict', async () => {
    const { status, error } = await create({ url: receiver.url, secret: 'mine' });
    expect(status).toBe(400);
    expect(error.details).toEqual([expect.objectContaining({ path: 'secret', code: 'unrecognized_keys' })]);
  });
  test.each([
    [{}],
    [{ url: 5 }],
    [{ url: 'https://public.example.com', description: 'x'.repeat(501) }],
    [[]],
    ['text'],
  ])('%p', async (body) => {
    const response = await create(body);
    expect(response.status).toBe(400);
  });
  test('invalid_json', async () => {
    const response = await create('{"url":');
    expect(response.refusal).toMatchObject({ status: 400, code: 'invalid_json' });
  });
});

test('403 partner_only', async () => {
  const response = await webhooks.call(createWebhookEndpoint, { body: { url: receiver.url } });
  expect(response.refusal).toMatchObject({ status: 403, code: 'partner_only' });
});

test('409 conflict: a partner has at most 100 endpoints, also under parallel creates', async () => {
  const partnerId = randomUUID();
  await webhooks.pool.query(
    `insert into endpoints (id, partner_id, url, description, status, created_at, updated_at)
      select gen_random_uuid(), $1, 'https://public.example.com/', '', 'active', now(), now() from generate_series(1, 97)`,
    [partnerId],
  );
  const responses = await Promise.all(
    Array.from({ length: 8 }, () => create({ url: 'https://public.example.com/' }, partnerId)),
  );
  const counts = Map.groupBy(responses, ({ status }) => status);
  expect([counts.get(201)?.length, counts.get(409)?.length]).toEqual([3, 5]);
  expect(counts.get(409)?.[0]?.code).toBe('conflict');
});
