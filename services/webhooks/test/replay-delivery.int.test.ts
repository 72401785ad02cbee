import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { eventually, type Receiver, startReceiver } from '@bv/testkit';
import { activeEndpoint, type Delivery, deliveryThat, type Endpoint, publishScan } from './harness.ts';
import { startWebhooks, type Webhooks } from './start-webhooks.ts';

/** How the receiver answers events; `null` keeps it waiting until `release`. */
let answer: number | null = 200;
let release = (): void => undefined;

let webhooks: Webhooks;
let receiver: Receiver;
beforeAll(async () => {
  [webhooks, receiver] = await Promise.all([
    startWebhooks({ WEBHOOKS_SCHEDULE_MS: '0,20', WEBHOOKS_JITTER_PERCENT: '0' }),
    startReceiver(({ body }) => {
      if (body.includes('endpoint.ping')) return 200;
      if (answer !== null) return answer;
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
  webhooks.as(partnerId, {
    method: 'POST',
    path: `/webhook-endpoints/${endpoint.id}/deliveries/${id}/replay`,
    operationId,
  });

/** An endpoint with one delivery that has come to this status. */
async function delivered(status: string): Promise<{ endpoint: Endpoint; delivery: Delivery }> {
  answer = status === 'dead' ? 500 : 200;
  const endpoint = await activeEndpoint(webhooks, receiver.url);
  await publishScan(webhooks, { orgId: endpoint.orgId });
  const delivery = await deliveryThat(webhooks, endpoint, (found) => found.status === status);
  answer = 200;
  return { endpoint, delivery };
}

describe('202', () => {
  test('a dead delivery starts its schedule anew, under the same webhook-id', async () => {
    const { endpoint, delivery } = await delivered('dead');
    expect(delivery).toMatchObject({ attempts: 2, next_attempt_at: null });
    const operationId = randomUUID();
    const { status, body } = await replay(endpoint, delivery.id, endpoint.partnerId, operationId);
    expect(status).toBe(202);
    expect(body.data).toMatchObject({ id: delivery.id, status: 'pending', attempts: 2 });
    const done = await deliveryThat(webhooks, endpoint, (found) => found.status === 'succeeded');
    expect(done).toMatchObject({ id: delivery.id, attempts: 3, last_error: null });
    const ids = receiver.requests.filter(({ headers }) => headers['webhook-id'] === delivery.event_id);
    expect(ids).toHaveLength(3);
    // The same operation again is not a second replay.
    expect((await replay(endpoint, delivery.id, endpoint.partnerId, operationId)).body).toEqual(body);
  });
  test('a delivery that had succeeded is sent once more', async () => {
    const { endpoint, delivery } = await delivered('succeeded');
    expect((await replay(endpoint, delivery.id)).status).toBe(202);
    await deliveryThat(
      webhooks,
      endpoint,
      ({ attempts, status }) => attempts === 2 && status === 'succeeded',
    );
  });
});

describe('409', () => {
  test('delivery_in_flight, and many replays at once are one more attempt', async () => {
    const { endpoint, delivery } = await delivered('succeeded');
    answer = null;
    expect((await replay(endpoint, delivery.id)).status).toBe(202);
    await deliveryThat(webhooks, endpoint, ({ status }) => status === 'delivering');
    const refused = await Promise.all([1, 2, 3, 4].map(() => replay(endpoint, delivery.id)));
    for (const each of refused) {
      expect(each).toMatchObject({ status: 409, body: { error: { code: 'delivery_in_flight' } } });
    }
    await eventually(() => expect(receiver.requests.filter(isOf(delivery))).toHaveLength(2));
    release();
    await deliveryThat(webhooks, endpoint, ({ status }) => status === 'succeeded');
    answer = 200;
  });
  test('link_revoked: the organisation is no longer linked, or the partner suspended', async () => {
    const { endpoint, delivery } = await delivered('succeeded');
    await webhooks.setLink(endpoint.partnerId, endpoint.orgId, false);
    expect(await replay(endpoint, delivery.id)).toMatchObject({
      status: 409,
      body: { error: { code: 'link_revoked' } },
    });
    await webhooks.setLink(endpoint.partnerId, endpoint.orgId, true);
    await webhooks.setPartner(endpoint.partnerId, 'suspended');
    expect(await replay(endpoint, delivery.id)).toMatchObject({
      status: 409,
      body: { error: { code: 'link_revoked' } },
    });
    await webhooks.setPartner(endpoint.partnerId, 'active');
    expect((await replay(endpoint, delivery.id)).status).toBe(202);
  });
  test('endpoint_disabled, unless it could not be sent by one that is enabled either', async () => {
    const { endpoint, delivery } = await delivered('succeeded');
    await webhooks.asOperator({ method: 'POST', path: `/webhook-endpoints/${endpoint.id}/disable` });
    expect(await replay(endpoint, delivery.id)).toMatchObject({
      status: 409,
      body: { error: { code: 'endpoint_disabled' } },
    });
    await webhooks.setLink(endpoint.partnerId, endpoint.orgId, false);
    expect(await replay(endpoint, delivery.id)).toMatchObject({
      status: 409,
      body: { error: { code: 'link_revoked' } },
    });
  });
});

test('404 not_found: unknown, of another endpoint, or of another partner', async () => {
  const { endpoint, delivery } = await delivered('succeeded');
  const other = await activeEndpoint(webhooks, receiver.url, endpoint);
  for (const each of [
    await replay(endpoint, randomUUID()),
    await replay(other, delivery.id),
    await replay(endpoint, delivery.id, randomUUID()),
  ]) {
    expect(each).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  }
});
test('400 validation_error: deliveryId', async () => {
  const path = `/webhook-endpoints/${randomUUID()}/deliveries/1/replay`;
  const each = await webhooks.as(randomUUID(), { method: 'POST', path });
  expect(each).toMatchObject({ status: 400, body: { error: { code: 'validation_error' } } });
});
test('403 partner_only', async () => {
  const path = `/webhook-endpoints/${randomUUID()}/deliveries/${randomUUID()}/replay`;
  const each = await webhooks.asOrganisation(randomUUID(), { method: 'POST', path });
  expect(each).toMatchObject({ status: 403, body: { error: { code: 'partner_only' } } });
});

const isOf =
  (delivery: Delivery) =>
  ({ headers }: { headers: Record<string, unknown> }): boolean =>
    headers['webhook-id'] === delivery.event_id;
