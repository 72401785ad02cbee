import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually, freePort, type Receiver, startReceiver } from '@bv/testkit';
import { activeEndpoint, createEndpoint, deliveryThat, publishScan } from './harness.ts';
import { startWebhooks, type Webhooks } from './start-webhooks.ts';

let webhooks: Webhooks;
let receiver: Receiver;
let monitoringPort: number;
beforeAll(async () => {
  monitoringPort = await freePort();
  [webhooks, receiver] = await Promise.all([
    startWebhooks({
      MONITORING_PORT: String(monitoringPort),
      WEBHOOKS_MEASURE_MS: '20',
      WEBHOOKS_BREAKER_FAILURES: '1',
    }),
    startReceiver(({ body }) => (body.includes('endpoint.ping') ? 204 : 500)),
  ]);
});
afterAll(async () => {
  await Promise.all([webhooks.stop(), receiver.close()]);
});

test('what waits, what was given up and which receivers are down can be seen from outside', async () => {
  const held = await activeEndpoint(webhooks, receiver.url);
  await createEndpoint(webhooks, await webhooks.newPartner(), 'http://127.0.0.1:1025/');
  await publishScan(webhooks, { orgId: held.orgId });
  await deliveryThat(webhooks, held, ({ attempts, status }) => attempts === 1 && status === 'pending');
  await eventually(async () => {
    const text = await (await fetch(`http://127.0.0.1:${monitoringPort}/metrics`)).text();
    const value = (name: string, labels = ''): number =>
      Number(new RegExp(`^${name}\\{${labels}service="webhooks"\\} (.*)$`, 'm').exec(text)?.[1]);
    expect({
      pending: value('webhooks_deliveries', 'status="pending",'),
      delivering: value('webhooks_deliveries', 'status="delivering",'),
      active: value('webhooks_endpoints', 'status="active",'),
      unverified: value('webhooks_endpoints', 'status="pending_verification",'),
      failing: value('webhooks_endpoints', 'status="failing",'),
      breakers: value('webhooks_breakers_open'),
      dead: value('webhooks_deliveries_dead_total'),
    }).toEqual({ pending: 1, delivering: 0, active: 1, unverified: 1, failing: 0, breakers: 2, dead: 1 });
    expect(value('webhooks_claim_lag_seconds')).toBeLessThan(10);
  });
});
