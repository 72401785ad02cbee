import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { operatorDisableEndpoint, updateWebhookEndpoint } from '@bv/contract';
import { type Receiver, startReceiver } from '@bv/testkit';
import {
  activeEndpoint,
  makeDue,
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

const disable = (id: string) => webhooks.call(operatorDisableEndpoint, { params: { endpointId: id } });

describe('200', () => {
  test('neither events nor queued retries are sent; disabling again changes nothing', async () => {
    const endpoint = await activeEndpoint(webhooks, `${receiver.url}/500`);
    await publishScan(webhooks, { orgId: endpoint.orgId });
    await waitForDelivery(
      webhooks,
      endpoint,
      ({ attempts, status }) => attempts === 1 && status === 'pending',
    );
    for (const { status, data } of [await disable(endpoint.id), await disable(endpoint.id)]) {
      expect([status, data.status]).toEqual([200, 'disabled']);
    }
    await publishScan(webhooks, { orgId: endpoint.orgId });
    await webhooks.waitUntilApplied();
    await makeDue(webhooks, endpoint);
    await waitUntilPostponed(webhooks, endpoint);
    expect(await readDeliveries(webhooks, endpoint)).toEqual([
      expect.objectContaining({ attempts: 1, status: 'pending' }),
    ]);
  });
  test('a new URL does not enable it', async () => {
    const endpoint = await activeEndpoint(webhooks, receiver.url);
    await disable(endpoint.id);
    const { data } = await webhooks.as(endpoint.partnerId, updateWebhookEndpoint, {
      params: { endpointId: endpoint.id },
      body: { url: `${receiver.url}/new` },
    });
    expect(data).toMatchObject({ status: 'disabled', url: `${receiver.url}/new` });
  });
});
test('404 not_found', async () => {
  expect((await disable(randomUUID())).refusal).toMatchObject({ status: 404, code: 'not_found' });
});
test('400 validation_error: endpointId', async () => {
  expect((await disable('1')).refusal).toMatchObject({ status: 400, code: 'validation_error' });
});
