import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type Receiver, startReceiver } from '@bv/testkit';
import {
  activeEndpoint,
  makeDue,
  waitForAppliedEvents,
  waitForDelivery,
  waitUntilPostponed,
  publishScan,
  readDeliveries,
} from './harness.ts';
import { startWebhooks, type Webhooks } from './start-webhooks.ts';

let webhooks: Webhooks;
let receiver: Receiver;
beforeAll(async () => {
  [webhooks, receiver] = await Promise.all([
    startWebhooks({ WEBHOOKS_SCHEDULE_MS: '0,600000' }),
    startReceiver(({ path, body }) => (path === '/500' && !body.includes('endpoint.ping') ? 500 : 200)),
  ]);
});
afterAll(async () => {
  await Promise.all([webhooks.stop(), receiver.close()]);
});

const operate = (id: string, action: 'disable' | 'enable') =>
  webhooks.asOperator({ method: 'POST', path: `/webhook-endpoints/${id}/${action}` });

describe('200', () => {
  test('neither events nor queued retries are sent; disabling again changes nothing', async () => {
    const endpoint = await activeEndpoint(webhooks, `${receiver.url}/500`);
    await publishScan(webhooks, { orgId: endpoint.orgId });
    await waitForDelivery(
      webhooks,
      endpoint,
      ({ attempts, status }) => attempts === 1 && status === 'pending',
    );
    for (const { status, body } of [
      await operate(endpoint.id, 'disable'),
      await operate(endpoint.id, 'disable'),
    ]) {
      expect([status, body.data.status]).toEqual([200, 'disabled']);
    }
    await publishScan(webhooks, { orgId: endpoint.orgId });
    await waitForAppliedEvents(webhooks);
    await makeDue(webhooks, endpoint);
    await waitUntilPostponed(webhooks, endpoint);
    expect(await readDeliveries(webhooks, endpoint)).toEqual([
      expect.objectContaining({ attempts: 1, status: 'pending' }),
    ]);
  });
  test('a new URL does not enable it', async () => {
    const endpoint = await activeEndpoint(webhooks, receiver.url);
    await operate(endpoint.id, 'disable');
    const { body } = await webhooks.as(endpoint.partnerId, {
      method: 'PATCH',
      path: `/webhook-endpoints/${endpoint.id}`,
      body: { url: `${receiver.url}/new` },
    });
    expect(body.data).toMatchObject({ status: 'disabled', url: `${receiver.url}/new` });
  });
});
test('404 not_found', async () => {
  expect(await operate(randomUUID(), 'disable')).toMatchObject({
    status: 404,
    body: { error: { code: 'not_found' } },
  });
});
test('400 validation_error: endpointId', async () => {
  expect(await operate('1', 'disable')).toMatchObject({
    status: 400,
    body: { error: { code: 'validation_error' } },
  });
});
