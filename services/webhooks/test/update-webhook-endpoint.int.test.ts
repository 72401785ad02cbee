import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { eventually, type Receiver, startReceiver } from '@bv/testkit';
import {
  activeEndpoint,
  closeAfterAll,
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

const update = (id: string, partnerId: string, body: unknown) =>
  webhooks.as(partnerId, { method: 'PATCH', path: `/webhook-endpoints/${id}`, body });

describe('200', () => {
  test('a new description changes nothing else', async () => {
    const endpoint = await activeEndpoint(webhooks, receiver.url);
    const { status, body } = await update(endpoint.id, endpoint.partnerId, { description: 'new', other: 1 });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      id: endpoint.id,
      description: 'new',
      status: 'active',
      url: receiver.url,
    });
    expect(body.data.secret).toBeUndefined();
  });
  test('the same URL needs no new verification', async () => {
    const endpoint = await activeEndpoint(webhooks, receiver.url);
    const { body } = await update(endpoint.id, endpoint.partnerId, { url: receiver.url });
    expect(body.data.status).toBe('active');
  });
  test('a new ping verifies a new URL; events wait for it', async () => {
    const endpoint = await activeEndpoint(webhooks, receiver.url);
    verifies = false;
    const { body } = await update(endpoint.id, endpoint.partnerId, { url: `${moved.url}/new` });
    expect(body.data).toMatchObject({ status: 'pending_verification', url: `${moved.url}/new` });
    await moved.waitFor(({ body: sent }) => sent.includes(endpoint.id));
    const scan = await publishScan(webhooks, { orgId: endpoint.orgId });
    await waitForDelivery(webhooks, endpoint, ({ status }) => status === 'pending');
    await waitUntilPostponed(webhooks, endpoint);
    expect(await readDeliveries(webhooks, endpoint)).toEqual([
      expect.objectContaining({ status: 'pending', attempts: 0 }),
    ]);
    verifies = true;
    await webhooks.as(endpoint.partnerId, { method: 'POST', path: `/webhook-endpoints/${endpoint.id}/test` });
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
    const created = await webhooks.as(partner.partnerId, {
      method: 'POST',
      path: '/webhook-endpoints',
      body: { url: slow.url },
    });
    const endpoint = { ...partner, id: created.body.data.id, secret: '' };
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
    const { status, body } = await update(endpoint.id, endpoint.partnerId, change);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({
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
    expect(response).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  }
});
test('400 validation_error: endpointId', async () => {
  const { status, body } = await update('x', randomUUID(), { description: '' });
  expect(status).toBe(400);
  expect(body.error.details).toEqual([
    expect.objectContaining({ path: 'endpointId', code: 'invalid_format' }),
  ]);
});
test('400 invalid_json', async () => {
  const response = await update(randomUUID(), randomUUID(), '{');
  expect(response).toMatchObject({ status: 400, body: { error: { code: 'invalid_json' } } });
});
test('403 partner_only', async () => {
  const path = `/webhook-endpoints/${randomUUID()}`;
  const response = await webhooks.asOrganisation(randomUUID(), {
    method: 'PATCH',
    path,
    body: { description: '' },
  });
  expect(response).toMatchObject({ status: 403, body: { error: { code: 'partner_only' } } });
});
