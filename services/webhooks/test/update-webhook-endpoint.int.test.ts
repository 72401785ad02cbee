import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { testWebhookEndpoint, updateWebhookEndpoint } from '@bv/contract';
import { eventually, type Receiver, startReceiver } from '@bv/testkit';
import {
  activeEndpoint,
  closeAfterAll,
  createEndpoint,
  waitForDelivery,
  waitForStatus,
  publishScan,
  readDeliveries,
  readEndpoint,
  waitUntilPostponed,
} from './harness.ts';
import { startWebhooks, type Webhooks } from './start-webhooks.ts';

let webhooks: Webhooks;
let receiver: Receiver;
let moved: Receiver;
let verifies = true;
beforeAll(async () => {
  [webhooks, receiver, moved] = await Promise.all([
    startWebhooks(),
    startReceiver(),
    startReceiver(() => (verifies ? 204 : 500)),
  ]);
});
afterAll(async () => {
  await Promise.all([webhooks.stop(), receiver.close(), moved.close()]);
});

const update = (endpointId: string, partnerId: string, body: unknown) =>
  webhooks.as(partnerId, updateWebhookEndpoint, { params: { endpointId }, body });

describe('200', () => {
  test('a new description changes nothing else', async () => {
    const endpoint = await activeEndpoint(webhooks, receiver.url);
    const { status, data } = await update(endpoint.id, endpoint.partnerId, { description: 'new', other: 1 });
    expect(status).toBe(200);
    expect(data).toMatchObject({
      id: endpoint.id,
      description: 'new',
      status: 'active',
      url: receiver.url,
    });
    expect(data).not.toHaveProperty('secret');
  });
  test('the same URL needs no new verification', async () => {
    const endpoint = await activeEndpoint(webhooks, receiver.url);
    const { data } = await update(endpoint.id, endpoint.partnerId, { url: receiver.url });
    expect(data.status).toBe('active');
  });
  test('a new ping verifies a new URL; events wait for it', async () => {
    const endpoint = await activeEndpoint(webhooks, receiver.url);
    verifies = false;
    const { data } = await update(endpoint.id, endpoint.partnerId, { url: `${moved.url}/new` });
    expect(data).toMatchObject({ status: 'pending_verification', url: `${moved.url}/new` });
    await moved.waitFor(({ body: sent }) => sent.includes(endpoint.id));
    const scan = await publishScan(webhooks, { orgId: endpoint.orgId });
    await waitForDelivery(webhooks, endpoint, ({ status }) => status === 'pending');
    await waitUntilPostponed(webhooks, endpoint);
    expect(await readDeliveries(webhooks, endpoint)).toEqual([
      expect.objectContaining({ status: 'pending', attempts: 0 }),
    ]);
    verifies = true;
    await webhooks.as(endpoint.partnerId, testWebhookEndpoint, { params: { endpointId: endpoint.id } });
    await waitForStatus(webhooks, endpoint, 'active');
    await moved.waitFor(({ body: sent, path }) => path === '/new' && sent.includes(scan.job_id));
  });
  test('an attempt to the old URL that ends late does not verify the new one', async () => {
    let release = (): void => undefined;
    const slow = closeAfterAll(
      await startReceiver(() => new Promise((resolve) => (release = () => resolve(204)))),
    );
    verifies = false;
    const partner = await webhooks.newPartner();
    const endpoint = await createEndpoint(webhooks, partner, slow.url);
    await slow.waitFor(() => true);
    await update(endpoint.id, partner.partnerId, { url: moved.url });
    release();
    await eventually(async () => {
      const { rows } = await webhooks.pool.query(
        `select count(*)::int as done from deliveries where endpoint_id = $1 and status in ('succeeded', 'dead')`,
        [endpoint.id],
      );
      expect(rows[0].done).toBe(2);
    });
    expect(await readEndpoint(webhooks, endpoint)).toMatchObject({
      status: 'pending_verification',
      last_success_at: null,
      consecutive_failures: 1,
    });
    verifies = true;
  });
});

describe('400 validation_error', () => {
  test.each([
    [{ url: 'https://10.0.0.1/' }, 'url_not_public'],
    [{ url: 'nothing' }, 'invalid_format'],
    [{ description: 'x'.repeat(501) }, 'too_big'],
    [{ url: null }, 'invalid_type'],
    [{}, 'empty_patch'],
    [{ status: 'active' }, 'empty_patch'],
  ])('%p is %s', async (change, code) => {
    const endpoint = await activeEndpoint(webhooks, receiver.url);
    const { refusal } = await update(endpoint.id, endpoint.partnerId, change);
    expect(refusal).toMatchObject({
      status: 400,
      code: 'validation_error',
      details: [expect.objectContaining({ code })],
    });
  });
});

test('404 not_found: unknown, or another partner’s, before the URL is validated', async () => {
  const endpoint = await activeEndpoint(webhooks, receiver.url);
  for (const [id, partnerId] of [
    [randomUUID(), endpoint.partnerId],
    [endpoint.id, randomUUID()],
  ] as const) {
    const response = await update(id, partnerId, { url: 'https://10.0.0.1/' });
    expect(response.refusal).toMatchObject({ status: 404, code: 'not_found' });
  }
});
test('400 validation_error: endpointId', async () => {
  const { status, error } = await update('x', randomUUID(), { description: '' });
  expect(status).toBe(400);
  expect(error.details).toEqual([expect.objectContaining({ path: 'endpointId', code: 'invalid_format' })]);
});
test('400 invalid_json', async () => {
  const response = await update(randomUUID(), randomUUID(), '{');
  expect(response.refusal).toMatchObject({ status: 400, code: 'invalid_json' });
});
test('403 partner_only', async () => {
  const input = { params: { endpointId: randomUUID() }, body: { description: '' } };
  const response = await webhooks.call(updateWebhookEndpoint, input);
  expect(response.refusal).toMatchObject({ status: 403, code: 'partner_only' });
});
