import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type Receiver, startReceiver } from '@bv/testkit';
import {
  activeEndpoint,
  waitForAppliedEvents,
  waitForDelivery,
  publishScan,
  readDeliveries,
} from './harness.ts';
import { startWebhooks, type Webhooks } from './start-webhooks.ts';

let webhooks: Webhooks;
let receiver: Receiver;
let broken: Receiver;
beforeAll(async () => {
  [webhooks, receiver, broken] = await Promise.all([
    startWebhooks({ WEBHOOKS_SCHEDULE_MS: '0,600000' }),
    startReceiver(),
    startReceiver(({ body }) => (body.includes('endpoint.ping') ? 204 : 500)),
  ]);
});
afterAll(async () => {
  await Promise.all([webhooks.stop(), receiver.close(), broken.close()]);
});

const remove = (endpointId: string, id: string, partnerId: string) =>
  webhooks.as(partnerId, { method: 'DELETE', path: `/webhook-endpoints/${endpointId}/subscriptions/${id}` });

test('200: queued deliveries are kept without its id; new events are not delivered', async () => {
  const endpoint = await activeEndpoint(webhooks, broken.url);
  await publishScan(webhooks, { orgId: endpoint.orgId });
  const queued = await waitForDelivery(
    webhooks,
    endpoint,
    ({ attempts, status }) => attempts === 1 && status === 'pending',
  );
  expect(queued.subscription_id).toBe(endpoint.subscriptionId);
  const { status, body } = await remove(endpoint.id, endpoint.subscriptionId, endpoint.partnerId);
  expect([status, body]).toEqual([200, { data: { id: endpoint.subscriptionId, deleted: true } }]);
  await publishScan(webhooks, { orgId: endpoint.orgId });
  await waitForAppliedEvents(webhooks);
  expect(await readDeliveries(webhooks, endpoint)).toEqual([
    expect.objectContaining({ id: queued.id, subscription_id: null, status: 'pending' }),
  ]);
});
test('404 not_found: unknown, of another endpoint, or of another partner', async () => {
  const endpoint = await activeEndpoint(webhooks, receiver.url);
  const other = await activeEndpoint(webhooks, receiver.url, endpoint);
  for (const response of [
    await remove(endpoint.id, randomUUID(), endpoint.partnerId),
    await remove(other.id, endpoint.subscriptionId, endpoint.partnerId),
    await remove(endpoint.id, endpoint.subscriptionId, randomUUID()),
  ]) {
    expect(response).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  }
});
test('400 validation_error: subscriptionId', async () => {
  const { status, body } = await remove(randomUUID(), '1', randomUUID());
  expect(status).toBe(400);
  expect(body.error).toMatchObject({ code: 'validation_error', details: [{ path: 'subscriptionId' }] });
});
test('403 partner_only', async () => {
  const path = `/webhook-endpoints/${randomUUID()}/subscriptions/${randomUUID()}`;
  const response = await webhooks.asOrganisation(randomUUID(), { method: 'DELETE', path });
  expect(response).toMatchObject({ status: 403, body: { error: { code: 'partner_only' } } });
});
