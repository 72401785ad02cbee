import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type Receiver, startReceiver } from '@bv/testkit';
import { activeEndpoint, waitForStatus, publishScan } from './harness.ts';
import { startWebhooks, type Webhooks } from './start-webhooks.ts';

let webhooks: Webhooks;
let receiver: Receiver;
beforeAll(async () => {
  [webhooks, receiver] = await Promise.all([startWebhooks(), startReceiver()]);
});
afterAll(async () => {
  await Promise.all([webhooks.stop(), receiver.close()]);
});

const operate = (id: string, action: 'disable' | 'enable') =>
  webhooks.asOperator({ method: 'POST', path: `/webhook-endpoints/${id}/${action}` });

describe('200', () => {
  test('a new ping verifies the endpoint, then events are delivered again', async () => {
    const endpoint = await activeEndpoint(webhooks, receiver.url);
    await operate(endpoint.id, 'disable');
    const enabled = await operate(endpoint.id, 'enable');
    expect([enabled.status, enabled.body.data.status]).toEqual([200, 'pending_verification']);
    await waitForStatus(webhooks, endpoint, 'active');
    const scan = await publishScan(webhooks, { orgId: endpoint.orgId });
    await receiver.waitFor(({ body }) => body.includes(scan.job_id));
    expect((await operate(endpoint.id, 'enable')).body.data.status).toBe('active');
  });
});
test('404 not_found', async () => {
  expect(await operate(randomUUID(), 'enable')).toMatchObject({
    status: 404,
    body: { error: { code: 'not_found' } },
  });
});
test('400 validation_error: endpointId', async () => {
  expect(await operate('1', 'enable')).toMatchObject({
    status: 400,
    body: { error: { code: 'validation_error' } },
  });
});
