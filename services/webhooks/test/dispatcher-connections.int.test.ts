import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Delivery, deleteWebhookEndpoint } from '@bv/contract';
import { eventually } from '@bv/testkit';
import {
  activeEndpoint,
  closeAfterAll,
  publishScan,
  readDeliveries,
  readMetrics,
  waitForDeliveries,
} from './harness.ts';
import { type RawReceiver, startRawReceiver } from './receivers.ts';
import { startWebhooks, type Webhooks } from './start-webhooks.ts';

let webhooks: Webhooks;
let receiver: RawReceiver;
let requests = 0;
/** Resets the next reused connection instead of a response. */
let resets = false;
beforeAll(async () => {
  webhooks = await startWebhooks();
  receiver = closeAfterAll(
    await startRawReceiver((socket, received) => {
      if (!received.endsWith('}')) return;
      requests += 1;
      const isReused = received.split('POST / HTTP').length > 2;
      if (!resets || !isReused) return void socket.write('HTTP/1.1 204 No Content\r\n\r\n');
      resets = false;
      socket.resetAndDestroy();
    }),
  );
});
let stopped: Promise<void> | undefined;
const stop = (): Promise<void> => (stopped ??= webhooks.stop());
afterAll(stop);

async function readCounts() {
  const value = await readMetrics(webhooks);
  return {
    opened: value('bv_webhooks_connections_total', 'connection="opened",'),
    reused: value('bv_webhooks_connections_total', 'connection="reused",'),
    resent: value('bv_webhooks_resent_total'),
  };
}

test('deliveries reuse connections; a connection that is closed meanwhile costs no attempt', async () => {
  const endpoint = await activeEndpoint(webhooks, receiver.url);
  let sent = 0;
  const deliver = async (): Promise<void> => {
    sent += 1;
    await publishScan(webhooks, { orgId: endpoint.orgId });
    const isDone = (found: Delivery[]): boolean =>
      found.length === sent && found.every(({ status }) => status === 'succeeded');
    await waitForDeliveries(webhooks, endpoint, isDone);
  };
  // On a slow machine, a connection may be idle for too long before the next delivery.
  while (!((await readCounts()).reused > 0)) await deliver();
  resets = true;
  while (resets) await deliver();
  const { opened, reused, resent } = await readCounts();
  expect(resent).toBe(1);
  expect(opened + reused).toBe(requests);
  expect(receiver.connections).toBe(opened);
  const deliveries = await readDeliveries(webhooks, endpoint);
  expect(new Set(deliveries.map(({ attempts }) => attempts))).toEqual(new Set([1]));
  // The ping, and the request that was sent again.
  expect(requests).toBe(deliveries.length + 2);
});

test('a deleted endpoint and a stopped process leave no connection', async () => {
  const deleted = await activeEndpoint(webhooks, receiver.url);
  const params = { endpointId: deleted.id };
  await webhooks.as(deleted.partnerId, deleteWebhookEndpoint, { params });
  await eventually(() => expect(receiver.open()).toBe(0), { intervalMs: 20 });
  await activeEndpoint(webhooks, receiver.url);
  await stop();
  // Sooner than an idle connection is closed anyway.
  await eventually(() => expect(receiver.open()).toBe(0), { intervalMs: 20, timeoutMs: 3_000 });
});
