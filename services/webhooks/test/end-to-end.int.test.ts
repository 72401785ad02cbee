import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  createSubscription,
  createWebhookEndpoint,
  listDeliveries,
  listWebhookEndpoints,
  webhookEvents,
} from '@bv/contract';
import { scanScored } from '@bv/events';
import { eventually, type Receiver, startReceiver } from '@bv/testkit';
import { Webhook } from 'standardwebhooks';
import { scoredScan } from './scans.ts';
import { startWebhooks, type Webhooks } from './start-webhooks.ts';

let webhooks: Webhooks;
let receiver: Receiver;

beforeAll(async () => {
  [webhooks, receiver] = await Promise.all([startWebhooks(), startReceiver()]);
});
afterAll(async () => {
  await Promise.all([webhooks.stop(), receiver.close()]);
});

test('from an endpoint to a signed scan.completed', async () => {
  const [partnerId, orgId] = [randomUUID(), randomUUID()];
  await Promise.all([webhooks.setPartner(partnerId, 'active'), webhooks.setLink(partnerId, orgId)]);
  const created = await webhooks.as(partnerId, createWebhookEndpoint, {
    body: { url: `${receiver.url}/hook`, description: 'our receiver' },
  });
  expect(created.status).toBe(201);
  const { id: endpointId, secret } = created.data;
  expect(created.data).toMatchObject({ status: 'pending_verification', url: `${receiver.url}/hook` });

  const ping = await receiver.waitFor(({ body }) => body.includes('endpoint.ping'));
  const verifier = new Webhook(secret);
  const pinged = verifier.verify(ping.body, ping.headers as Record<string, string>);
  expect(webhookEvents['endpoint.ping'].parse(pinged).data).toEqual({ endpoint_id: endpointId });
  await eventually(async () => {
    const { data } = await webhooks.as(partnerId, listWebhookEndpoints, {});
    expect(data).toEqual([expect.objectContaining({ id: endpointId, status: 'active' })]);
  });

  const subscribed = await webhooks.as(partnerId, createSubscription, {
    params: { endpointId },
    body: { event_type: 'scan.completed' },
  });
  expect(subscribed.status).toBe(201);

  const scan = scoredScan({ orgId });
  await webhooks.publish(scanScored, scan.job_id, scan);
  const sent = await receiver.waitFor(({ body }) => body.includes('scan.completed'));
  const event = webhookEvents['scan.completed'].parse(
    verifier.verify(sent.body, sent.headers as Record<string, string>),
  );
  expect(event).toMatchObject({
    id: sent.headers['webhook-id'],
    type: 'scan.completed',
    api_version: '1.0.0',
    org: { id: orgId, external_ref: `ref-${orgId.slice(0, 4)}` },
    data: { job_id: scan.job_id, brand: scan.brand, score: { value: 60, previous: 40, change: 20 } },
  });

  const log = await webhooks.as(partnerId, listDeliveries, { params: { endpointId } });
  expect(log.pagination).toEqual({ next_cursor: null, has_more: false });
  await eventually(async () => {
    const { data } = await webhooks.as(partnerId, listDeliveries, {
      params: { endpointId },
      query: { status: 'succeeded' },
    });
    expect(data).toEqual([
      expect.objectContaining({
        event_id: event.id,
        event_type: 'scan.completed',
        status: 'succeeded',
        attempts: 1,
        last_status_code: 204,
        last_error: null,
        subscription_id: subscribed.data.id,
      }),
      expect.objectContaining({ event_type: 'endpoint.ping', subscription_id: null }),
    ]);
  });
});
