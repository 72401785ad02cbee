import { randomUUID } from 'node:crypto';
import {
  operatorGetDelivery,
  operatorGetEndpoint,
  operatorGetWebhookEvent,
  operatorListEndpointDeliveries,
  operatorListEndpoints,
  operatorListWebhookEvents,
} from '@bv/contract';
import { findNamesRpc, serveRpc } from '@bv/events';
import { type Receiver, startReceiver } from '@bv/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { activeEndpoint, type Endpoint, publishScan, waitForDeliveries } from './harness.ts';
import { startWebhooks, type Webhooks } from './start-webhooks.ts';

let webhooks: Webhooks;
let receiver: Receiver;
let endpoint: Endpoint;
let failing: Endpoint;
beforeAll(async () => {
  [webhooks, receiver] = await Promise.all([
    startWebhooks({ WEBHOOKS_SCHEDULE_MS: '0,600000' }),
    startReceiver(({ path, body }) => (path === '/500' && !body.includes('endpoint.ping') ? 500 : 200)),
  ]);
  const { connection, log } = webhooks;
  const toNames = (ids: string[], kind: string) =>
    Object.fromEntries(ids.map((id) => [id, `${kind} ${id.slice(0, 4)}`]));
  serveRpc(
    connection,
    findNamesRpc,
    async ({ partner_ids, org_ids }) => ({
      partners: toNames(partner_ids, 'Partner'),
      orgs: toNames(org_ids, 'Org'),
    }),
    { queue: 'gateway', log },
  );
  endpoint = await activeEndpoint(webhooks, receiver.url);
  failing = await activeEndpoint(webhooks, `${receiver.url}/500`, endpoint);
  for (const runDate of ['2026-11-01', '2026-11-02'])
    await publishScan(webhooks, { orgId: endpoint.orgId, runDate });
  for (const each of [endpoint, failing]) {
    await waitForDeliveries(
      webhooks,
      each,
      (found) =>
        found.length === 2 &&
        found.every(({ attempts, status }) => attempts === 1 && status !== 'delivering'),
    );
  }
});
afterAll(async () => {
  await Promise.all([webhooks.stop(), receiver.close()]);
});

const partnerName = (): string => `Partner ${endpoint.partnerId.slice(0, 4)}`;
const orgName = (): string => `Org ${endpoint.orgId.slice(0, 4)}`;

describe('operatorListEndpoints, operatorGetEndpoint', () => {
  test('200: of all partners by id, of one, and by status; with names', async () => {
    const other = await activeEndpoint(webhooks, receiver.url);
    const first = await webhooks.call(operatorListEndpoints, { query: 'limit=2' });
    const query = `limit=2&cursor=${first.pagination.next_cursor}`;
    const rest = await webhooks.call(operatorListEndpoints, { query });
    const ids = [...first.data, ...rest.data].map(({ id }) => id);
    expect(ids).toEqual([endpoint.id, failing.id, other.id].toSorted());
    const ofPartner = `partner_id=${endpoint.partnerId}&status=active`;
    const { data } = await webhooks.call(operatorListEndpoints, { query: ofPartner });
    expect(data.map(({ id }) => id)).toEqual([endpoint.id, failing.id].toSorted());
    expect(data[0]).toMatchObject({ partner_id: endpoint.partnerId, partner_name: partnerName() });
    expect(JSON.stringify(data)).not.toContain('whsec_');
    expect((await webhooks.call(operatorListEndpoints, { query: 'status=disabled' })).data).toEqual([]);
  });

  test('200: counts of subscriptions and waiting deliveries; 404 for an unknown endpoint', async () => {
    const { data } = await webhooks.call(operatorGetEndpoint, { params: { endpointId: failing.id } });
    expect(data).toMatchObject({
      id: failing.id,
      partner_name: partnerName(),
      subscriptions: 1,
      pending_deliveries: 2,
    });
    const unknown = await webhooks.call(operatorGetEndpoint, { params: { endpointId: randomUUID() } });
    expect(unknown.refusal.code).toBe('not_found');
  });
});

describe('operatorListEndpointDeliveries, operatorGetDelivery', () => {
  test('200: newest first, page by page, by status; with the attempts of one', async () => {
    const params = { endpointId: failing.id };
    const list = (query: string) => webhooks.call(operatorListEndpointDeliveries, { params, query });
    const first = await list('limit=2');
    const rest = await list(`limit=2&cursor=${first.pagination.next_cursor}`);
    const all = [...first.data, ...rest.data];
    expect(all.map(({ event_type }) => event_type)).toEqual([
      'scan.completed',
      'scan.completed',
      'endpoint.ping',
    ]);
    const pending = (await list('status=pending')).data;
    expect(pending.map(({ id }) => id)).toEqual(first.data.map(({ id }) => id));
    expect(pending[0]).toMatchObject({ partner_name: partnerName(), org_name: orgName() });
    expect(rest.data[0]).toMatchObject({ org_id: null, org_name: null });
    const deliveryId = pending[0]?.id ?? '';
    const { data } = await webhooks.call(operatorGetDelivery, { params: { deliveryId } });
    expect(data).toMatchObject({
      id: deliveryId,
      endpoint_url: `${receiver.url}/500`,
      org_id: endpoint.orgId,
      attempt_log: [{ number: 1, outcome: 'failed', error: 'http_status', status_code: 500 }],
    });
  });

  test('404 for an unknown endpoint and an unknown delivery', async () => {
    const params = { endpointId: randomUUID(), deliveryId: randomUUID() };
    const listed = await webhooks.call(operatorListEndpointDeliveries, { params });
    expect(listed.refusal.code).toBe('not_found');
    expect((await webhooks.call(operatorGetDelivery, { params })).refusal.code).toBe('not_found');
  });
});

describe('operatorListWebhookEvents, operatorGetWebhookEvent', () => {
  test('200: newest first, page by page; one with its body and deliveries', async () => {
    const ids: string[] = [];
    const types = new Set<string>();
    let query = 'limit=2';
    for (;;) {
      const { data, pagination } = await webhooks.call(operatorListWebhookEvents, { query });
      ids.push(...data.map(({ id }) => id));
      for (const { type } of data) types.add(type);
      if (!pagination.has_more) break;
      query = `limit=2&cursor=${pagination.next_cursor}`;
    }
    expect(new Set(ids).size).toBe(ids.length);
    expect(types).toEqual(new Set(['scan.completed', 'endpoint.ping']));
    const [newest] = (
      await webhooks.call(operatorListEndpointDeliveries, { params: { endpointId: endpoint.id } })
    ).data;
    const webhookEventId = newest?.event_id ?? '';
    expect(ids).toContain(webhookEventId);
    const { data } = await webhooks.call(operatorGetWebhookEvent, { params: { webhookEventId } });
    expect(data).toMatchObject({
      id: webhookEventId,
      type: 'scan.completed',
      partner_name: partnerName(),
      org_name: orgName(),
      // Two events that arrive together have the same time, and either is the newest.
      body: {
        id: webhookEventId,
        type: 'scan.completed',
        data: { run_date: expect.stringMatching(/^2026-11-0[12]$/) },
      },
    });
    expect(data.deliveries.map(({ endpoint_id }) => endpoint_id).toSorted()).toEqual(
      [endpoint.id, failing.id].toSorted(),
    );
  });

  test('404 for an unknown event', async () => {
    const params = { webhookEventId: randomUUID() };
    expect((await webhooks.call(operatorGetWebhookEvent, { params })).refusal.code).toBe('not_found');
  });
});
