import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually, freePort, type Receiver, startReceiver } from '@bv/testkit';
import { activeEndpoint, createEndpoint, waitForDelivery, publishScan, readMetrics } from './harness.ts';
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

async function readBacklog() {
  const value = await readMetrics(monitoringPort);
  return {
    pending: value('bv_webhooks_deliveries', 'status="pending",'),
    delivering: value('bv_webhooks_deliveries', 'status="delivering",'),
    active: value('bv_webhooks_endpoints', 'status="active",'),
    unverified: value('bv_webhooks_endpoints', 'status="pending_verification",'),
    failing: value('bv_webhooks_endpoints', 'status="failing",'),
    disabled: value('bv_webhooks_endpoints', 'status="disabled",'),
    breakers: value('bv_webhooks_circuit_breakers_open'),
  };
}

test('metrics report waiting and dead deliveries, and receivers that are down', async () => {
  const broken = await activeEndpoint(webhooks, receiver.url);
  await createEndpoint(webhooks, await webhooks.newPartner(), 'http://127.0.0.1:1025/');
  await publishScan(webhooks, { orgId: broken.orgId });
  await waitForDelivery(webhooks, broken, ({ attempts, status }) => attempts === 1 && status === 'pending');
  const zero = { delivering: 0, failing: 0, disabled: 0 };
  await eventually(async () => {
    // The circuit breaker of the unverified endpoint is not counted: that endpoint receives no events anyway.
    expect(await readBacklog()).toEqual({ ...zero, pending: 1, active: 1, unverified: 1, breakers: 1 });
    const value = await readMetrics(monitoringPort);
    expect(value('bv_webhooks_deliveries_dead_total')).toBe(1);
    expect(value('bv_webhooks_lease_lag_seconds')).toBeLessThan(10);
  });
  await webhooks.asOperator({ method: 'POST', path: `/webhook-endpoints/${broken.id}/disable` });
  await eventually(async () => {
    const now = { ...zero, pending: 1, active: 0, unverified: 1, disabled: 1, breakers: 0 };
    expect(await readBacklog()).toEqual(now);
  });
  await webhooks.as(broken.partnerId, { method: 'DELETE', path: `/webhook-endpoints/${broken.id}` });
  await eventually(async () => {
    expect(await readBacklog()).toEqual({ ...zero, pending: 0, active: 0, unverified: 1, breakers: 0 });
  });
});

test('metrics of the API role show that no dispatcher is left', async () => {
  const port = await freePort();
  const env = { ROLE: 'api', MONITORING_PORT: String(port), WEBHOOKS_MEASURE_MS: '20' };
  const api = await startWebhooks(env);
  try {
    await createEndpoint(api, await api.newPartner(), receiver.url);
    await eventually(async () => {
      const value = await readMetrics(port);
      expect(value('bv_webhooks_lease_lag_seconds')).toBeGreaterThan(0.5);
      expect(value('bv_webhooks_deliveries', 'status="pending",')).toBe(1);
    });
  } finally {
    await api.stop();
  }
});
