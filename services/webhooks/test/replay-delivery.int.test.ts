import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { operatorDisableEndpoint, replayDelivery, type Delivery } from '@bv/contract';
import { eventually, type Receiver, startReceiver } from '@bv/testkit';
import { activeEndpoint, waitForDelivery, type Endpoint, publishScan } from './harness.ts';
import { startWebhooks, type Webhooks } from './start-webhooks.ts';

/** Status that the receiver returns for events. `null` delays the response until `release`. */
let eventStatus: number | null = 200;
let release = (): void => undefined;

let webhooks: Webhooks;
let receiver: Receiver;
beforeAll(async () => {
  [webhooks, receiver] = await Promise.all([
    startWebhooks({ WEBHOOKS_SCHEDULE_MS: '0,20', WEBHOOKS_JITTER_PERCENT: '0' }),
    startReceiver(({ body }) => {
      if (body.includes('endpoint.ping')) return 200;
      if (eventStatus !== null) return eventStatus;
      return new Promise((resolve) => (release = () => resolve(200)));
    }),
  ]);
});
afterAll(async () => {
  await Promise.all([webhooks.stop(), receiver.close()]);
});

const replay = (
  endpoint: Endpoint,
  id: string,
  partnerId = endpoint.partnerId,
  operationId: string = randomUUID(),
) =>
  webhooks.as(partnerId, replayDelivery, {
    params: { endpointId: endpoint.id, deliveryId: id },
    caller: { operationId },
  });

/** Creates an endpoint with one delivery of this status. */
async function createDelivery(status: string): Promise<{ endpoint: Endpoint; delivery: Delivery }> {
  eventStatus = status === 'dead' ? 500 : 200;
  const endpoint = await activeEndpoint(webhooks, receiver.url);
  await publishScan(webhooks, { orgId: endpoint.orgId });
  const delivery = await waitForDelivery(webhooks, endpoint, (found) => found.status === status);
  eventStatus = 200;
  return { endpoint, delivery };
}

describe('202', () => {
  test('a dead delivery restarts its schedule with the same webhook-id', async () => {
    const { endpoint, delivery } = await createDelivery('dead');
    expect(delivery).toMatchObject({ attempts: 2, next_attempt_at: null });
    const operationId = randomUUID();
    const { status, body, data } = await replay(endpoint, delivery.id, endpoint.partnerId, operationId);
    expect(status).toBe(202);
    expect(data).toMatchObject({ id: delivery.id, status: 'pending', attempts: 2 });
    const done = await waitForDelivery(webhooks, endpoint, (found) => found.status === 'succeeded');
    expect(done).toMatchObject({ id: delivery.id, attempts: 3, last_error: null });
    const ids = receiver.requests.filter(({ headers }) => headers['webhook-id'] === delivery.event_id);
    expect(ids).toHaveLength(3);
    // A retry of the operation is not a second replay.
    expect((await replay(endpoint, delivery.id, endpoint.partnerId, operationId)).body).toEqual(body);
  });
  test('a succeeded delivery is sent again', async () => {
    const { endpoint, delivery } = await createDelivery('succeeded');
    expect((await replay(endpoint, delivery.id)).status).toBe(202);
    await waitForDelivery(
      webhooks,
      endpoint,
      ({ attempts, status }) => attempts === 2 && status === 'succeeded',
    );
  });
});

describe('409', () => {
  test('delivery_in_flight: parallel replays are one more attempt', async () => {
    const { endpoint, delivery } = await createDelivery('succeeded');
    eventStatus = null;
    expect((await replay(endpoint, delivery.id)).status).toBe(202);
    await waitForDelivery(webhooks, endpoint, ({ status }) => status === 'delivering');
    const refusals = await Promise.all([1, 2, 3, 4].map(() => replay(endpoint, delivery.id)));
    for (const each of refusals) {
      expect(each.refusal).toMatchObject({ status: 409, code: 'delivery_in_flight' });
    }
    await eventually(() => expect(receiver.requests.filter(isRequestOf(delivery))).toHaveLength(2));
    release();
    await waitForDelivery(webhooks, endpoint, ({ status }) => status === 'succeeded');
    eventStatus = 200;
  });
  test('link_revoked: the organisation is no longer linked, or the partner suspended', async () => {
    const { endpoint, delivery } = await createDelivery('succeeded');
    await webhooks.setLink(endpoint.partnerId, endpoint.orgId, false);
    expect((await replay(endpoint, delivery.id)).refusal).toMatchObject({
      status: 409,
      code: 'link_revoked',
    });
    await webhooks.setLink(endpoint.partnerId, endpoint.orgId, true);
    await webhooks.setPartner(endpoint.partnerId, 'suspended');
    expect((await replay(endpoint, delivery.id)).refusal).toMatchObject({
      status: 409,
      code: 'link_revoked',
    });
    await webhooks.setPartner(endpoint.partnerId, 'active');
    expect((await replay(endpoint, delivery.id)).status).toBe(202);
  });
  test('endpoint_disabled, but link_revoked when the link is revoked too', async () => {
    const { endpoint, delivery } = await createDelivery('succeeded');
    await webhooks.call(operatorDisableEndpoint, { params: { endpointId: endpoint.id } });
    expect((await replay(endpoint, delivery.id)).refusal).toMatchObject({
      status: 409,
      code: 'endpoint_disabled',
    });
    await webhooks.setLink(endpoint.partnerId, endpoint.orgId, false);
    expect((await replay(endpoint, delivery.id)).refusal).toMatchObject({
      status: 409,
      code: 'link_revoked',
    });
  });
});

test('404 not_found: unknown, of another endpoint, or of another partner', async () => {
  const { endpoint, delivery } = await createDelivery('succeeded');
  const other = await activeEndpoint(webhooks, receiver.url, endpoint);
  for (const each of [
    await replay(endpoint, randomUUID()),
    await replay(other, delivery.id),
    await replay(endpoint, delivery.id, randomUUID()),
  ]) {
    expect(each.refusal).toMatchObject({ status: 404, code: 'not_found' });
  }
});
test('400 validation_error: deliveryId', async () => {
  const params = { endpointId: randomUUID(), deliveryId: '1' };
  const each = await webhooks.as(randomUUID(), replayDelivery, { params });
  expect(each.refusal).toMatchObject({ status: 400, code: 'validation_error' });
});
test('403 partner_only', async () => {
  const params = { endpointId: randomUUID(), deliveryId: randomUUID() };
  const each = await webhooks.call(replayDelivery, { params });
  expect(each.refusal).toMatchObject({ status: 403, code: 'partner_only' });
});

const isRequestOf =
  (delivery: Delivery) =>
  ({ headers }: { headers: Record<string, unknown> }): boolean =>
    headers['webhook-id'] === delivery.event_id;
