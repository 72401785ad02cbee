import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { deleteWebhookEndpoint, operatorDisableEndpoint } from '@bv/contract';
import { eventually, type Receiver, startReceiver } from '@bv/testkit';
import { activeEndpoint, createEndpoint, waitForDelivery, publishScan, readMetrics } from './harness.ts';
import { startWebhooks, type Webhooks } from './start-webhooks.ts';

let webhooks: Webhooks;
let receiver: Receiver;
beforeAll(async () => {
  [webhooks, receiver] = await Promise.all([
    startWebhooks({
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
  const value = await readMetrics(webhooks);
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
    const value = await readMetrics(webhooks);
    expect(value('bv_webhooks_deliveries_dead_total')).toBe(1);
    expect(value('bv_webhooks_lease_lag_seconds')).toBeLessThan(10);
  });
  const params = { endpointId: broken.id };
  await webhooks.call(operatorDisableEndpoint, { params });
  await eventually(async () => {
    const now = { ...zero, pending: 1, active: 0, unverified: 1, disabled: 1, breakers: 0 };
    expect(await readBacklog()).toEqual(now);
  });
  await webhooks.as(broken.partnerId, deleteWebhookEndpoint, { params });
  await eventually(async () => {
    expect(await readBacklog()).toEqual({ ...zero, pending: 0, active: 0, unverified: 1, breakers: 0 });
  });
});

test('metrics of the API role show that no dispatcher is left', async () => {
  const api = await startWebhooks({ ROLE: 'api', WEBHOOKS_MEASURE_MS: '20' });
  try {
    await createEndpoint(api, await api.newPartner(), receiver.url);
    await eventually(async () => {
      const value = await readMetrics(api);
      expect(value('bv_webhooks_lease_lag_seconds')).toBeGreaterThan(0.5);
      expect(value('bv_webhooks_deliveries', 'status="pending",')).toBe(1);
    });
  } finally {
    await api.stop();
  }
});
