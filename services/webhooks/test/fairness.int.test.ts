import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { testWebhookEndpoint } from '@bv/contract';
import { eventually, type Receiver, startReceiver } from '@bv/testkit';
import { activeEndpoint, createEndpoint, type Endpoint, waitForStatus, publishScan } from './harness.ts';
import { startWebhooks, type Webhooks } from './start-webhooks.ts';

const slots = 40;
let webhooks: Webhooks;
let hanging: Receiver;
let healthy: Receiver;
beforeAll(async () => {
  [webhooks, hanging, healthy] = await Promise.all([
    startWebhooks({
      // Longer than the test may take: no slot becomes free by a timeout.
      WEBHOOKS_TOTAL_TIMEOUT_MS: '300000',
      WEBHOOKS_LEASE_MS: '600000',
      WEBHOOKS_STOP_GRACE_MS: '100',
      WEBHOOKS_PER_PROCESS: String(slots),
    }),
    startReceiver(() => undefined),
    startReceiver(),
  ]);
});
afterAll(async () => {
  await Promise.all([webhooks.stop(), hanging.close(), healthy.close()]);
});

const running = async (partnerId: string): Promise<number> => {
  const { rows } = await webhooks.pool.query(
    `select count(*)::int as count from deliveries where partner_id = $1 and status = 'delivering'`,
    [partnerId],
  );
  return rows[0].count;
};

/** A partner with hanging receivers and more pings than slots. */
async function hangingPartner(): Promise<string> {
  const partner = await webhooks.newPartner();
  const endpoints: Endpoint[] = [];
  for (let index = 0; index < 4; index += 1) {
    endpoints.push(await createEndpoint(webhooks, partner, hanging.url));
  }
  for (let ping = 0; ping < 12; ping += 1) {
    await Promise.all(
      endpoints.map(({ id }) =>
        webhooks.as(partner.partnerId, testWebhookEndpoint, { params: { endpointId: id } }),
      ),
    );
  }
  return partner.partnerId;
}

test('a partner with hanging receivers uses a quarter of the slots and does not delay others', async () => {
  const first = await hangingPartner();
  await eventually(async () => expect(await running(first)).toBe(slots / 4));
  const active = await activeEndpoint(webhooks, healthy.url);
  expect(await running(first)).toBe(slots / 4);
  // With a quarter each, four partners would use all slots.
  for (let more = 0; more < 4; more += 1) await hangingPartner();
  const scan = await publishScan(webhooks, { orgId: active.orgId });
  await healthy.waitFor(({ body }) => body.includes(scan.job_id));
  const newcomer = await createEndpoint(webhooks, await webhooks.newPartner(), healthy.url);
  await waitForStatus(webhooks, newcomer, 'active');
  expect(await running(first)).toBe(slots / 4);
}, 120_000);
