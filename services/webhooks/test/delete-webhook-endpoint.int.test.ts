import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { deleteWebhookEndpoint } from '@bv/contract';
import { type Receiver, startReceiver } from '@bv/testkit';
import { activeEndpoint, publishScan, readEndpoint } from './harness.ts';
import { startWebhooks, type Webhooks } from './start-webhooks.ts';

let webhooks: Webhooks;
let receiver: Receiver;
beforeAll(async () => {
  [webhooks, receiver] = await Promise.all([startWebhooks(), startReceiver()]);
});
afterAll(async () => {
  await Promise.all([webhooks.stop(), receiver.close()]);
});

const remove = (endpointId: string, partnerId: string, operationId: string = randomUUID()) =>
  webhooks.as(partnerId, deleteWebhookEndpoint, { params: { endpointId }, caller: { operationId } });

test('200: subscriptions and secrets are deleted, events are no longer delivered', async () => {
  const endpoint = await activeEndpoint(webhooks, receiver.url);
  const operationId = randomUUID();
  const { status, body } = await remove(endpoint.id, endpoint.partnerId, operationId);
  expect([status, body]).toEqual([200, { data: { id: endpoint.id, deleted: true } }]);
  expect(await readEndpoint(webhooks, endpoint)).toBeUndefined();
  await publishScan(webhooks, { orgId: endpoint.orgId });
  await webhooks.waitUntilApplied();
  const { rows } = await webhooks.pool.query(
    `select (select count(*) from subscriptions where endpoint_id = $1)::int as subscriptions,
      (select count(*) from endpoint_secrets where endpoint_id = $1)::int as secrets,
      (select count(*) from deliveries where endpoint_id = $1 and not is_ping)::int as deliveries`,
    [endpoint.id],
  );
  expect(rows[0]).toEqual({ subscriptions: 0, secrets: 0, deliveries: 0 });
  // A retry of the operation gets the first response, another operation finds no endpoint.
  expect((await remove(endpoint.id, endpoint.partnerId, operationId)).status).toBe(200);
  expect((await remove(endpoint.id, endpoint.partnerId)).status).toBe(404);
});
test('404 not_found: unknown, or another partner’s', async () => {
  const endpoint = await activeEndpoint(webhooks, receiver.url);
  for (const response of [
    await remove(randomUUID(), endpoint.partnerId),
    await remove(endpoint.id, randomUUID()),
  ]) {
    expect(response.refusal).toMatchObject({ status: 404, code: 'not_found' });
  }
});
test('400 validation_error: endpointId', async () => {
  const response = await remove('1', randomUUID());
  expect(response.refusal).toMatchObject({ status: 400, code: 'validation_error' });
});
test('403 partner_only', async () => {
  const response = await webhooks.call(deleteWebhookEndpoint, { params: { endpointId: randomUUID() } });
  expect(response.refusal).toMatchObject({ status: 403, code: 'partner_only' });
});
