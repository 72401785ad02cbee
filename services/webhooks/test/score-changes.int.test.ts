import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { deleteWebhookEndpoint, replayDelivery, webhookEvents } from '@bv/contract';
import { scanScored } from '@bv/events';
import { transaction } from '@bv/postgres';
import { eventually, type Receiver, startReceiver } from '@bv/testkit';
import { Webhook } from 'standardwebhooks';
import { pruneOld } from '../src/maintenance.ts';
import {
  activeEndpoint,
  createEndpoint,
  type Endpoint,
  handleInTransaction,
  handleScoredScan,
  subscribe,
  waitForDelivery,
  waitForStatus,
} from './harness.ts';
import { type FoundChange, foundChange, scoredScan, type ScoredScan } from './scans.ts';
import { startWebhooks, type Webhooks } from './start-webhooks.ts';

const dayMs = 86_400_000;
let webhooks: Webhooks;
let receiver: Receiver;
beforeAll(async () => {
  [webhooks, receiver] = await Promise.all([startWebhooks(), startReceiver()]);
});
afterAll(async () => {
  await Promise.all([webhooks.stop(), receiver.close()]);
});

type Subscriber = Endpoint & { brandId: string };

/** Creates a verified endpoint with a subscription to each of these changes. */
async function createSubscriber(changes: object[], partner?: Subscriber): Promise<Subscriber> {
  const owner = partner ?? (await webhooks.newPartner());
  const endpoint = await createEndpoint(webhooks, owner, `${receiver.url}/${randomUUID()}`);
  await waitForStatus(webhooks, endpoint, 'active');
  for (const change of changes)
    await subscribe(webhooks, endpoint, { event_type: 'score.changed', ...change });
  return { ...endpoint, brandId: partner?.brandId ?? randomUUID() };
}

const dayAfter = (days: number): string =>
  new Date(Date.parse('2026-11-01') + days * dayMs).toISOString().slice(0, 10);

/** The first scored scan of a day, with these changes. */
const createScan = (
  { orgId, brandId }: Subscriber,
  runDate: string,
  changes: Partial<FoundChange>[] = [{}],
): ScoredScan => scoredScan({ orgId, brandId, runDate, changes });

/** The run_date of each delivered change, in the order in which they were found. */
async function readChanges({ id }: Endpoint): Promise<string[]> {
  const { rows } = await webhooks.pool.query<{ run_date: string }>(
    `select e.body::jsonb #>> '{data,b,to}' as run_date
     from deliveries d join events e on e.id = d.event_id
     where d.endpoint_id = $1 and not d.is_ping order by d.created_at, e.id`,
    [id],
  );
  return rows.map((row) => row.run_date);
}
const countStates = async ({ id }: Endpoint): Promise<number> =>
  (await webhooks.pool.query('select from change_states where endpoint_id = $1', [id])).rowCount ?? 0;

test('a change is delivered once, signed, logged and replayable, also when its event is redelivered', async () => {
  const endpoint = await createSubscriber([{}]);
  const scan = createScan(endpoint, '2026-11-21');
  for (let copy = 0; copy < 3; copy += 1) await webhooks.publish(scanScored, scan.job_id, scan);
  await webhooks.waitUntilApplied();
  const delivered = await waitForDelivery(webhooks, endpoint, ({ status }) => status === 'succeeded');
  expect(delivered).toMatchObject({ event_type: 'score.changed', attempts: 1 });
  const isSent = ({ body }: { body: string }) => body.includes(scan.job_id);
  const { body, headers } = await receiver.waitFor(isSent);
  const event = new Webhook(endpoint.secret).verify(body, headers as Record<string, string>);
  const { window_days: _, highest_confidence: _confidence, ...comparison } = foundChange('2026-11-21');
  expect(webhookEvents['score.changed'].parse(event)).toMatchObject({
    org: { id: endpoint.orgId, external_ref: `ref-${endpoint.orgId.slice(0, 4)}` },
    data: { ...comparison, brand: scan.brand, job_id: scan.job_id },
  });
  const params = { endpointId: endpoint.id, deliveryId: delivered.id };
  expect((await webhooks.as(endpoint.partnerId, replayDelivery, { params })).status).toBe(202);
  await waitForDelivery(
    webhooks,
    endpoint,
    ({ status, attempts }) => status === 'succeeded' && attempts === 2,
  );
  expect(receiver.requests.filter(isSent)).toHaveLength(2);
});

test('a change is sent again only when window a is free of the days before the last one', async () => {
  const endpoint = await createSubscriber([{}, { window_days: 28 }]);
  const found = [{}, { window_days: 28 as const }];
  for (const day of [0, 1, 7, 12, 13, 25, 26, 54]) {
    await handleScoredScan(webhooks, createScan(endpoint, dayAfter(day), found));
  }
  expect(await readChanges(endpoint)).toEqual([0, 0, 13, 26, 54].map(dayAfter));
  await handleScoredScan(webhooks, createScan(endpoint, dayAfter(55), found));
  expect((await readChanges(endpoint)).slice(5)).toEqual([dayAfter(55)]);
});

test('each subscription of an endpoint has its confidence, and all share the state of a series', async () => {
  const [sure, both] = [
    await createSubscriber([{}]),
    await createSubscriber([{}, { confidence: 0.99 }, { confidence: 0.999 }]),
  ];
  const found = [0.95, 0.99, 0.95, 0.9999, 0.9999, 0.999];
  for (const each of [sure, both]) {
    for (const [day, highest_confidence] of found.entries()) {
      await handleScoredScan(webhooks, createScan(each, dayAfter(3 * day), [{ highest_confidence }]));
    }
  }
  expect(await readChanges(sure)).toEqual([dayAfter(9)]);
  expect(await readChanges(both)).toEqual([dayAfter(3)]);
  await handleScoredScan(webhooks, createScan(both, dayAfter(16), [{ highest_confidence: 0.99 }]));
  expect(await readChanges(both)).toEqual([dayAfter(3), dayAfter(16)]);
});

test('a late scan of an earlier day is sent if it is the first change, and never after one of a later day', async () => {
  const endpoint = await createSubscriber([{}]);
  await handleScoredScan(webhooks, createScan(endpoint, dayAfter(20), []));
  await handleScoredScan(webhooks, createScan(endpoint, dayAfter(19)));
  for (const day of [18, 12, 5]) await handleScoredScan(webhooks, createScan(endpoint, dayAfter(day)));
  expect(await readChanges(endpoint)).toEqual([dayAfter(19)]);
  await handleScoredScan(webhooks, createScan(endpoint, dayAfter(32)));
  expect(await readChanges(endpoint)).toEqual([dayAfter(19), dayAfter(32)]);
});

test('concurrent scans of one brand: exactly one change in the days of its window', async () => {
  const endpoint = await createSubscriber([{}, { metric: 'mention_rate' }]);
  const brands = Array.from({ length: 12 }, () => ({ ...endpoint, brandId: randomUUID() }));
  await Promise.all(
    brands.flatMap((brand) =>
      [0, 1, 2, 3].map((day) =>
        handleScoredScan(webhooks, createScan(brand, dayAfter(day), [{}, { metric: 'mention_rate' }])),
      ),
    ),
  );
  const { rows } = await webhooks.pool.query(
    `select e.body::jsonb #>> '{data,brand,id}' as brand, e.body::jsonb #>> '{data,metric}' as metric
     from deliveries d join events e on e.id = d.event_id where d.endpoint_id = $1 and not d.is_ping`,
    [endpoint.id],
  );
  const sent = rows.map(({ brand, metric }) => `${brand} ${metric}`).toSorted();
  const expected = brands.flatMap(({ brandId }) => [`${brandId} mention_rate`, `${brandId} score`]);
  expect(sent).toEqual(expected.toSorted());
});

test('a failed transaction leaves neither a state nor a delivery', async () => {
  const endpoint = await createSubscriber([{}]);
  const scan = createScan(endpoint, dayAfter(0));
  const failing = transaction(webhooks.pool, async (tx) => {
    await handleInTransaction(tx, scan);
    throw new Error('failed');
  });
  await expect(failing).rejects.toThrow('failed');
  expect([await readChanges(endpoint), await countStates(endpoint)]).toEqual([[], 0]);
  await handleScoredScan(webhooks, scan);
  expect([await readChanges(endpoint), await countStates(endpoint)]).toEqual([[dayAfter(0)], 1]);
});

test('each endpoint has its own state: one that subscribes later receives the next change', async () => {
  const first = await createSubscriber([{}]);
  await handleScoredScan(webhooks, createScan(first, dayAfter(0)));
  const second = await createSubscriber([{}], first);
  await handleScoredScan(webhooks, createScan(first, dayAfter(2)));
  expect([await readChanges(first), await readChanges(second)]).toEqual([[dayAfter(0)], [dayAfter(2)]]);
});

test('other metrics, markets, windows and organisations send nothing and keep no state', async () => {
  const endpoint = await createSubscriber([
    { metric: 'sentiment' },
    { country: 'DE' },
    { window_days: 28 },
    { metric: 'citation_rate', country: 'US' },
  ]);
  await handleScoredScan(webhooks, createScan(endpoint, dayAfter(0), [{}, { country: 'US' }]));
  const unlinked = await createSubscriber([{}]);
  await webhooks.setLink(unlinked.partnerId, unlinked.orgId, false);
  await handleScoredScan(webhooks, createScan(unlinked, dayAfter(0)));
  for (const each of [endpoint, unlinked]) {
    expect([await readChanges(each), await countStates(each)]).toEqual([[], 0]);
  }
});

test('states are deleted 90 days after their event, and with a deleted endpoint', async () => {
  const [old, recent, deleted] = [
    await createSubscriber([{}]),
    await createSubscriber([{}]),
    await activeEndpoint(webhooks, receiver.url),
  ];
  await subscribe(webhooks, deleted, { event_type: 'score.changed' });
  for (const each of [old, recent, { ...deleted, brandId: randomUUID() }]) {
    await handleScoredScan(webhooks, createScan(each, dayAfter(0)));
    expect(await countStates(each)).toBe(1);
  }
  const age = (endpoint: Endpoint, days: number) =>
    webhooks.pool.query(
      `update change_states set updated_at = updated_at - $2 * interval '1 day' where endpoint_id = $1`,
      [endpoint.id, days],
    );
  await age(old, 91);
  await age(recent, 89);
  await webhooks.as(deleted.partnerId, deleteWebhookEndpoint, { params: { endpointId: deleted.id } });
  await webhooks.pool.query('delete from deliveries where endpoint_id = $1', [deleted.id]);
  await webhooks.pool.query(
    `update endpoints set deleted_at = deleted_at - interval '31 days' where id = $1`,
    [deleted.id],
  );
  // A run skips an endpoint that the dispatcher has locked at this moment.
  await eventually(async () => {
    await pruneOld(webhooks.pool, () => new Date(), 30 * dayMs, new AbortController().signal);
    expect([await countStates(old), await countStates(recent), await countStates(deleted)]).toEqual([
      0, 1, 0,
    ]);
  });
});
