import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { operatorDisableEndpoint, operatorEnableEndpoint } from '@bv/contract';
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

const enable = (id: string) => webhooks.call(operatorEnableEndpoint, { params: { endpointId: id } });

describe('200', () => {
  test('a new ping verifies the endpoint, then events are delivered again', async () => {
    const endpoint = await activeEndpoint(webhooks, receiver.url);
    await webhooks.call(operatorDisableEndpoint, { params: { endpointId: endpoint.id } });
    const enabled = await enable(endpoint.id);
    expect([enabled.status, enabled.data.status]).toEqual([200, 'pending_verification']);
    await waitForStatus(webhooks, endpoint, 'active');
    const scan = await publishScan(webhooks, { orgId: endpoint.orgId });
    await receiver.waitFor(({ body }) => body.includes(scan.job_id));
    expect((await enable(endpoint.id)).data.status).toBe('active');
  });
});
test('404 not_found', async () => {
  expect((await enable(randomUUID())).refusal).toMatchObject({ status: 404, code: 'not_found' });
});
test('400 validation_error: endpointId', async () => {
  expect((await enable('1')).refusal).toMatchObject({ status: 400, code: 'validation_error' });
});
