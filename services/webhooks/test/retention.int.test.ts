import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { eventually, type Receiver, startReceiver } from '@bv/testkit';
import { pruneOld } from '../src/dispatcher/upkeep.ts';
import {
  activeEndpoint,
  allApplied,
  deliveryThat,
  publishScan,
  readDeliveries,
  subscribe,
} from './harness.ts';
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

const counts = async () => {
  const { rows } = await webhooks.pool.query(
    `select (select count(*) from events)::int as events, (select count(*) from deliveries)::int as deliveries,
      (select count(*) from attempts)::int as attempts, (select count(*) from endpoints)::int as endpoints`,
  );
  return rows[0];
};
/** Moves everything stored so far back by this many days. */
const age = async (days: number): Promise<void> => {
  for (const table of ['events', 'deliveries'] as const) {
    await webhooks.pool.query(`update ${table} set created_at = created_at - $1 * interval '1 day'`, [days]);
  }
  await webhooks.pool.query(`update endpoints set deleted_at = deleted_at - $1 * interval '1 day'`, [days]);
};
const prune = () => pruneOld(webhooks.pool, () => new Date(), 30 * dayMs, new AbortController().signal);

test('events, deliveries and attempts go after 30 days, a deleted endpoint with its last delivery', async () => {
  const endpoint = await activeEndpoint(webhooks, receiver.url);
  await publishScan(webhooks, { orgId: endpoint.orgId });
  await deliveryThat(webhooks, endpoint, ({ status }) => status === 'succeeded');
  await webhooks.as(endpoint.partnerId, { method: 'DELETE', path: `/webhook-endpoints/${endpoint.id}` });
  const kept = await activeEndpoint(webhooks, receiver.url);
  await publishScan(webhooks, { orgId: kept.orgId });
  await deliveryThat(webhooks, kept, ({ status }) => status === 'succeeded');
  const before = await counts();
  expect(before).toEqual({ events: 4, deliveries: 4, attempts: 4, endpoints: 2 });

  await age(29);
  expect(await prune()).toBe(0);
  expect(await counts()).toEqual(before);
  await publishScan(webhooks, { orgId: kept.orgId });
  await eventually(async () =>
    expect((await readDeliveries(webhooks, kept)).map(({ status }) => status)).toEqual([
      'succeeded',
      'succeeded',
    ]),
  );
  await age(1.5);
  await prune();
  expect(await counts()).toEqual({ events: 1, deliveries: 1, attempts: 1, endpoints: 1 });
});

test('the side of a threshold is kept while scans reach it, and goes 90 days after the last one', async () => {
  const [idle, live] = [
    await activeEndpoint(webhooks, receiver.url),
    await activeEndpoint(webhooks, receiver.url),
  ];
  for (const endpoint of [idle, live]) {
    await subscribe(webhooks, endpoint, { event_type: 'score.threshold_crossed', threshold: 50 });
  }
  const brandId = randomUUID();
  const partners = async () => {
    const { rows } = await webhooks.pool.query('select partner_id from threshold_states order by updated_at');
    return rows.map((row) => row.partner_id);
  };
  const wait = (days: number) =>
    webhooks.pool.query(`update threshold_states set updated_at = updated_at - $1 * interval '1 day'`, [
      days,
    ]);
  await publishScan(webhooks, { orgId: idle.orgId });
  await publishScan(webhooks, { orgId: live.orgId, brandId });
  await allApplied(webhooks);
  await wait(89);
  await prune();
  expect(await partners()).toHaveLength(2);
  await publishScan(webhooks, { orgId: live.orgId, brandId, score: [null, null] });
  await allApplied(webhooks);
  await wait(2);
  await prune();
  expect(await partners()).toEqual([live.partnerId]);
});
