import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { testWebhookEndpoint } from '@bv/contract';
import { eventually, makeReadOnly, startReceiver } from '@bv/testkit';
import { activeEndpoint, closeAfterAll } from './harness.ts';
import { startWebhooks, type Webhooks } from './start-webhooks.ts';

let webhooks: Webhooks;
beforeAll(async () => {
  webhooks = await startWebhooks();
});
afterAll(() => webhooks.stop());

test('a read-only database: 503, and pings are delivered once it is writable again', async () => {
  const receiver = closeAfterAll(await startReceiver(() => 204));
  const { partnerId, id } = await activeEndpoint(webhooks, receiver.url);
  const ping = () => webhooks.as(partnerId, testWebhookEndpoint, { params: { endpointId: id } });
  const before = receiver.requests.length;
  const makeWritable = await makeReadOnly(webhooks.database.adminUrl);
  const refused = await ping();
  expect([refused.status, refused.code, refused.headers.get('retry-after')]).toEqual([
    503,
    'api_unavailable',
    '5',
  ]);
  await makeWritable();
  expect((await ping()).status).toBe(202);
  await eventually(() => expect(receiver.requests.length).toBeGreaterThan(before));
});
