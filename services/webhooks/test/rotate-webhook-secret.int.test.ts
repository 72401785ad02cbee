import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { rotateWebhookSecret } from '@bv/contract';
import { type ReceivedRequest, type Receiver, startReceiver } from '@bv/testkit';
import { Webhook } from 'standardwebhooks';
import { activeEndpoint, createClock, type Endpoint, publishScan } from './harness.ts';
import { startWebhooks, type Webhooks } from './start-webhooks.ts';

/** Less than the five minutes by which a receiver accepts another time. */
const overlapMs = 240_000;
const clock = createClock();
let webhooks: Webhooks;
let receiver: Receiver;
beforeAll(async () => {
  [webhooks, receiver] = await Promise.all([
    startWebhooks({ WEBHOOKS_SECRET_OVERLAP_MS: String(overlapMs) }, { now: clock.now }),
    startReceiver(),
  ]);
});
afterAll(async () => {
  await Promise.all([webhooks.stop(), receiver.close()]);
});

const rotate = (endpointId: string, partnerId: string, operationId: string = randomUUID()) =>
  webhooks.as(partnerId, rotateWebhookSecret, { params: { endpointId }, caller: { operationId } });

async function nextDelivery(endpoint: Endpoint): Promise<ReceivedRequest> {
  const scan = await publishScan(webhooks, { orgId: endpoint.orgId });
  return receiver.waitFor(({ body }) => body.includes(scan.job_id));
}
const verifies = (secret: string, { body, headers }: ReceivedRequest): boolean => {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
};

test('200: a new secret; both sign during the overlap, then only the new one', async () => {
  const endpoint = await activeEndpoint(webhooks, receiver.url);
  const operationId = randomUUID();
  const { status, body, data } = await rotate(endpoint.id, endpoint.partnerId, operationId);
  expect(status).toBe(200);
  const { secret } = data;
  expect(data.events_secret_rotated_at).toEqual(expect.any(String));
  expect(secret).not.toBe(endpoint.secret);
  expect((await rotate(endpoint.id, endpoint.partnerId, operationId)).body).toEqual(body);

  const during = await nextDelivery(endpoint);
  expect(String(during.headers['webhook-signature']).split(' ')).toHaveLength(2);
  expect([verifies(secret, during), verifies(endpoint.secret, during)]).toEqual([true, true]);
  clock.advance(overlapMs);
  const after = await nextDelivery(endpoint);
  expect([verifies(secret, after), verifies(endpoint.secret, after)]).toEqual([true, false]);
});
test('200: at most two secrets sign after parallel rotations', async () => {
  const endpoint = await activeEndpoint(webhooks, receiver.url);
  const responses = await Promise.all([1, 2, 3].map(() => rotate(endpoint.id, endpoint.partnerId)));
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
  const delivery = await nextDelivery(endpoint);
  expect(String(delivery.headers['webhook-signature']).split(' ')).toHaveLength(2);
});
test('404 not_found: unknown, or another partner’s', async () => {
  const endpoint = await activeEndpoint(webhooks, receiver.url);
  for (const response of [
    await rotate(randomUUID(), endpoint.partnerId),
    await rotate(endpoint.id, randomUUID()),
  ]) {
    expect(response.refusal).toMatchObject({ status: 404, code: 'not_found' });
  }
});
test('400 validation_error: endpointId', async () => {
  expect((await rotate('1', randomUUID())).refusal).toMatchObject({ status: 400, code: 'validation_error' });
});
test('403 partner_only', async () => {
  const response = await webhooks.call(rotateWebhookSecret, { params: { endpointId: randomUUID() } });
  expect(response.refusal).toMatchObject({ status: 403, code: 'partner_only' });
});
