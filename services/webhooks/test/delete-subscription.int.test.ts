import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { deleteSubscription } from '@bv/contract';
import { type Receiver, startReceiver } from '@bv/testkit';
import { activeEndpoint, waitForDelivery, publishScan, readDeliveries } from './harness.ts';
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

const remove = (endpointId: string, subscriptionId: string, partnerId: string) =>
  webhooks.as(partnerId, deleteSubscription, { params: { endpointId, subscriptionId } });

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
  await webhooks.waitUntilApplied();
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
    expect(response.refusal).toMatchObject({ status: 404, code: 'not_found' });
  }
});
test('400 validation_error: subscriptionId', async () => {
  const { refusal } = await remove(randomUUID(), '1', randomUUID());
  expect(refusal).toMatchObject({
    status: 400,
    code: 'validation_error',
    details: [{ path: 'subscriptionId' }],
  });
});
test('403 partner_only', async () => {
  const params = { endpointId: randomUUID(), subscriptionId: randomUUID() };
  const response = await webhooks.call(deleteSubscription, { params });
  expect(response.refusal).toMatchObject({ status: 403, code: 'partner_only' });
});
