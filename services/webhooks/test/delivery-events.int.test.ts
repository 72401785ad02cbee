import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type Delivery, listDeliveries } from '@bv/contract';
import { type Receiver, startReceiver } from '@bv/testkit';
import { activeEndpoint, type Endpoint, publishScan, waitForDeliveries } from './harness.ts';
import { startWebhooks, type Webhooks } from './start-webhooks.ts';

let webhooks: Webhooks;
let receiver: Receiver;
beforeAll(async () => {
  [webhooks, receiver] = await Promise.all([startWebhooks(), startReceiver()]);
});
afterAll(async () => {
  await Promise.all([webhooks.stop(), receiver.close()]);
});

const list = ({ id, partnerId }: Endpoint, query: string) =>
  webhooks.as(partnerId, listDeliveries, { params: { endpointId: id }, query });

const hasSucceeded = ({ status }: Delivery): boolean => status === 'succeeded';

/** An endpoint with a ping and this number of sent events. */
async function endpointWithEvents(count: number): Promise<Endpoint> {
  const endpoint = await activeEndpoint(webhooks, receiver.url);
  for (let day = 1; day <= count; day += 1)
    await publishScan(webhooks, { orgId: endpoint.orgId, runDate: `2026-11-0${day}` });
  const isDone = (found: Delivery[]): boolean => found.length === count && found.every(hasSucceeded);
  await waitForDeliveries(webhooks, endpoint, isDone);
  return endpoint;
}

/** Stores sent deliveries whose events have a body of this size. */
const storeEvents = ({ id, partnerId, orgId }: Endpoint, count: number, bytes: number) =>
  webhooks.pool.query(
    `with event as (
       insert into events (id, partner_id, org_id, type, dedupe_key, body, created_at)
       select gen_random_uuid(), $1, $2, 'scan.completed', gen_random_uuid()::text,
         json_build_object('id', 'e', 'type', 'scan.completed', 'api_version', '1.0.0',
           'timestamp', '2026-11-21T03:00:10.000Z', 'org', null, 'data', json_build_object('pad', repeat('x', $4))),
         now()
       from generate_series(1, $3) returning id)
     insert into deliveries (id, event_id, endpoint_id, partner_id, org_id, event_type, is_ping, status, created_at,
       updated_at)
     select gen_random_uuid(), id, $5, $1, $2, 'scan.completed', false, 'succeeded', now(), now() from event`,
    [partnerId, orgId, count, bytes, id],
  );

test('200: each row has the body that the receiver got, the ping included, also on later pages', async () => {
  const endpoint = await endpointWithEvents(3);
  const rows: Delivery[] = [];
  for (let next: string | null = 'limit=2&include=event'; next !== null;) {
    const { data, pagination } = await list(endpoint, next);
    rows.push(...data);
    next = pagination.next_cursor && `limit=2&cursor=${pagination.next_cursor}`;
  }
  expect(rows.map(({ event_type }) => event_type)).toEqual([
    'scan.completed',
    'scan.completed',
    'scan.completed',
    'endpoint.ping',
  ]);
  for (const { event, event_id } of rows) {
    const sent = receiver.requests.find(({ headers }) => headers['webhook-id'] === event_id);
    // Byte for byte: a receiver verifies a signature over the text.
    expect(JSON.stringify(event)).toBe(sent?.body);
  }
});

test('200: without the parameter a row has no event', async () => {
  const plain = await list(await endpointWithEvents(1), '');
  expect(plain.data).toHaveLength(2);
  for (const row of plain.data) expect(row).not.toHaveProperty('event');
});

test('200: a page with events has at most 50 rows, so that large bodies stay bounded', async () => {
  const endpoint = await activeEndpoint(webhooks, receiver.url);
  await storeEvents(endpoint, 120, 20_000);
  const first = await list(endpoint, 'limit=200&include=event');
  expect([first.data.length, first.pagination.has_more]).toEqual([50, true]);
  expect(Buffer.byteLength(JSON.stringify(first.data))).toBeLessThan(1_100_000);
  const second = await list(endpoint, `limit=200&cursor=${first.pagination.next_cursor}`);
  const third = await list(endpoint, `limit=200&cursor=${second.pagination.next_cursor}`);
  expect([second.data.length, third.data.length, third.pagination.has_more]).toEqual([50, 21, false]);
  const ids = [first, second, third].flatMap(({ data }) => data.map(({ id }) => id));
  expect(new Set(ids).size).toBe(121);
  expect((await list(endpoint, 'limit=200')).data).toHaveLength(121);
});

test('200: null for an organisation that is no longer linked; other events are kept', async () => {
  const endpoint = await endpointWithEvents(1);
  const events = async () => {
    const { data } = await list(endpoint, 'include=event');
    return data.map(({ event_type: type, event }) => [type, event?.type ?? null]);
  };
  const ping = ['endpoint.ping', 'endpoint.ping'];
  await webhooks.setLink(endpoint.partnerId, endpoint.orgId, false);
  expect(await events()).toEqual([['scan.completed', null], ping]);
  await webhooks.setLink(endpoint.partnerId, endpoint.orgId, true);
  expect(await events()).toEqual([['scan.completed', 'scan.completed'], ping]);
});

test('400: another value, twice, and a cursor of a walk without events', async () => {
  const endpoint = await endpointWithEvents(1);
  for (const query of ['include=events', 'include=', 'include=event&include=event']) {
    const { refusal } = await list(endpoint, query);
    expect([query, refusal]).toEqual([
      query,
      expect.objectContaining({ status: 400, code: 'validation_error' }),
    ]);
  }
  const { pagination } = await list(endpoint, 'limit=1');
  const changed = await list(endpoint, `include=event&cursor=${pagination.next_cursor}`);
  expect(changed.refusal).toMatchObject({
    code: 'invalid_cursor',
    details: { reason: 'filter_changed', parameter: 'include' },
  });
});

test('404 for another partner, 403 for an organisation', async () => {
  const endpoint = await endpointWithEvents(1);
  for (const other of [
    { ...endpoint, partnerId: randomUUID() },
    { ...endpoint, partnerId: (await webhooks.newPartner()).partnerId },
    { ...endpoint, id: randomUUID() },
  ]) {
    expect((await list(other, 'include=event')).refusal).toMatchObject({ status: 404, code: 'not_found' });
  }
  const response = await webhooks.call(listDeliveries, {
    params: { endpointId: endpoint.id },
    query: 'include=event',
  });
  expect(response.refusal).toMatchObject({ status: 403, code: 'partner_only' });
});
