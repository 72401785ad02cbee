import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Receiver, startReceiver } from '@bv/testkit';
import { activeEndpoint, deliveryThat, publishScan } from './harness.ts';
import { startWebhooks, type Webhooks } from './start-webhooks.ts';

let webhooks: Webhooks;
let receiver: Receiver;
beforeAll(async () => {
  [webhooks, receiver] = await Promise.all([startWebhooks(), startReceiver()]);
});
afterAll(async () => {
  await Promise.all([webhooks.stop(), receiver.close()]);
});

test('an endpoint whose secret cannot be opened gets nothing and holds up nobody', async () => {
  const partner = await webhooks.newPartner();
  const [lost, sound] = [
    await activeEndpoint(webhooks, `${receiver.url}/lost`, partner),
    await activeEndpoint(webhooks, `${receiver.url}/sound`, partner),
  ];
  await webhooks.pool.query(`update endpoint_secrets set sealed = 'gone.' || sealed where endpoint_id = $1`, [
    lost.id,
  ]);
  const scan = await publishScan(webhooks, { orgId: partner.orgId });
  await deliveryThat(webhooks, sound, ({ status }) => status === 'succeeded');
  await deliveryThat(webhooks, lost, ({ status }) => status === 'delivering');
  const paths = receiver.requests.filter(({ body }) => body.includes(scan.job_id)).map(({ path }) => path);
  expect(paths).toEqual(['/sound']);
});
