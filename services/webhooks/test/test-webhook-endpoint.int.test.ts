import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { listDeliveries, operatorDisableEndpoint, testWebhookEndpoint } from '@bv/contract';
import { eventually, type Receiver, startReceiver } from '@bv/testkit';
import { activeEndpoint, createEndpoint, waitForStatus } from './harness.ts';
import { startWebhooks, type Webhooks } from './start-webhooks.ts';

let webhooks: Webhooks;
let receiver: Receiver;
let broken: Receiver;
beforeAll(async () => {
  [webhooks, receiver, broken] = await Promise.all([
    startWebhooks(),
    startReceiver(),
    startReceiver(() => 500),
  ]);
});
afterAll(async () => {
  await Promise.all([webhooks.stop(), receiver.close(), broken.close()]);
});

const ping = (endpointId: string, partnerId: string) =>
  webhooks.as(partnerId, testWebhookEndpoint, { params: { endpointId } });

test('202: the delivery of a ping that then succeeds', async () => {
  const endpoint = await activeEndpoint(webhooks, receiver.url);
  const { status, data } = await ping(endpoint.id, endpoint.partnerId);
  expect(status).toBe(202);
  expect(data).toMatchObject({
    event_type: 'endpoint.ping',
    endpoint_id: endpoint.id,
    subscription_id: null,
    status: 'pending',
    attempts: 0,
  });
  await receiver.waitFor(({ headers }) => headers['webhook-id'] === data.event_id);
});
test('202: a ping has one attempt; after a failure the endpoint stays unverified', async () => {
  const endpoint = await createEndpoint(webhooks, await webhooks.newPartner(), broken.url);
  const { data } = await ping(endpoint.id, endpoint.partnerId);
  await eventually(async () => {
    const log = await webhooks.as(endpoint.partnerId, listDeliveries, {
      params: { endpointId: endpoint.id },
    });
    const found = log.data.find(({ id }) => id === data.id);
    expect(found).toMatchObject({
      status: 'dead',
      attempts: 1,
      next_attempt_at: null,
      last_error: 'http_status',
    });
  });
  await waitForStatus(webhooks, endpoint, 'pending_verification');
});
test('409 endpoint_disabled', async () => {
  const endpoint = await activeEndpoint(webhooks, receiver.url);
  await webhooks.call(operatorDisableEndpoint, { params: { endpointId: endpoint.id } });
  expect((await ping(endpoint.id, endpoint.partnerId)).refusal).toMatchObject({
    status: 409,
    code: 'endpoint_disabled',
  });
});
test('404 not_found: unknown, or another partner’s', async () => {
  const endpoint = await activeEndpoint(webhooks, receiver.url);
  for (const response of [
    await ping(randomUUID(), endpoint.partnerId),
    await ping(endpoint.id, randomUUID()),
  ]) {
    expect(response.refusal).toMatchObject({ status: 404, code: 'not_found' });
  }
});
test('400 validation_error: endpointId', async () => {
  expect((await ping('1', randomUUID())).refusal).toMatchObject({ status: 400, code: 'validation_error' });
});
test('403 partner_only', async () => {
  const response = await webhooks.call(testWebhookEndpoint, { params: { endpointId: randomUUID() } });
  expect(response.refusal).toMatchObject({ status: 403, code: 'partner_only' });
});
