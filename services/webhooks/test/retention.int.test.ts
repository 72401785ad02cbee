import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { deleteSubscription, deleteWebhookEndpoint, operatorDisableEndpoint } from '@bv/contract';
import { eventually, type Receiver, startReceiver } from '@bv/testkit';
import { pruneOld } from '../src/maintenance.ts';
import {
  activeEndpoint,
  waitForDelivery,
  type Endpoint,
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
/** Ages all stored rows by this number of days. */
const ageRows = async (days: number): Promise<void> => {
  for (const table of ['events', 'deliveries'] as const) {
    await webhooks.pool.query(`update ${table} set created_at = created_at - $1 * interval '1 day'`, [days]);
  }
  await webhooks.pool.query(`update endpoints set deleted_at = deleted_at - $1 * interval '1 day'`, [days]);
};
const prune = () => pruneOld(webhooks.pool, () => new Date(), 30 * dayMs, new AbortController().signal);

test('events, deliveries and attempts are deleted after 30 days, a deleted endpoint with its last delivery', async () => {
  const endpoint = await activeEndpoint(webhooks, receiver.url);
  await publishScan(webhooks, { orgId: endpoint.orgId });
  await waitForDelivery(webhooks, endpoint, ({ status }) => status === 'succeeded');
  await webhooks.as(endpoint.partnerId, deleteWebhookEndpoint, { params: { endpointId: endpoint.id } });
  const kept = await activeEndpoint(webhooks, receiver.url);
  await publishScan(webhooks, { orgId: kept.orgId });
  await waitForDelivery(webhooks, kept, ({ status }) => status === 'succeeded');
  const before = await counts();
  expect(before).toEqual({ events: 4, deliveries: 4, attempts: 4, endpoints: 2 });

  await ageRows(29);
  expect(await prune()).toBe(0);
  expect(await counts()).toEqual(before);
  await publishScan(webhooks, { orgId: kept.orgId });
  await eventually(async () =>
    expect((await readDeliveries(webhooks, kept)).map(({ status }) => status)).toEqual([
      'succeeded',
      'succeeded',
    ]),
  );
  await ageRows(1.5);
  await prune();
  expect(await counts()).toEqual({ events: 1, deliveries: 1, attempts: 1, endpoints: 1 });
});

describe('sides of thresholds', () => {
  const brandId = randomUUID();
  const side = async ({ partnerId }: Endpoint): Promise<string | undefined> => {
    const { rows } = await webhooks.pool.query('select side from threshold_states where partner_id = $1', [
      partnerId,
    ]);
    return rows[0]?.side;
  };
  /** An endpoint that received a crossing, and its subscription. */
  const notified = async () => {
    const endpoint = await activeEndpoint(webhooks, receiver.url);
    const threshold = { event_type: 'score.threshold_crossed', threshold: 50 };
    const subscriptionId = await subscribe(webhooks, endpoint, threshold);
    await publishScan(webhooks, { orgId: endpoint.orgId, brandId, score: [0, 100] });
    await webhooks.waitUntilApplied();
    return { ...endpoint, subscriptionId };
  };
  const unsubscribe = ({ id, partnerId, subscriptionId }: Endpoint & { subscriptionId: string }) => {
    return webhooks.as(partnerId, deleteSubscription, { params: { endpointId: id, subscriptionId } });
  };
  const setBrandOrg = (id: string, orgId: string) =>
    webhooks.pool.query(
      `insert into brands (id, org_id, is_own, version) values ($1, $2, true, 1)
       on conflict (id) do update set org_id = excluded.org_id`,
      [id, orgId],
    );
  /** Ages the states by this number of days, then runs maintenance. */
  const passDays = async (days: number): Promise<void> => {
    await webhooks.pool.query(`update threshold_states set updated_at = updated_at - $1 * interval '1 day'`, [
      days,
    ]);
    await prune();
  };

  test('a link revoked for longer than the retention: an earlier alert is cleared once it is linked again', async () => {
    const endpoint = await notified();
    await webhooks.setLink(endpoint.partnerId, endpoint.orgId, false);
    await passDays(91);
    await webhooks.setLink(endpoint.partnerId, endpoint.orgId);
    await publishScan(webhooks, { orgId: endpoint.orgId, brandId, score: [10, 10] });
    await webhooks.waitUntilApplied();
    const { rows } = await webhooks.pool.query(
      `select body::jsonb #>> '{data,direction}' as direction from events
       where partner_id = $1 and type = 'score.threshold_crossed' order by created_at`,
      [endpoint.partnerId],
    );
    expect(rows.map(({ direction }) => direction)).toEqual(['up', 'down']);
  });

  test('brands without scans and inactive partners and endpoints keep their sides', async () => {
    const [idle, suspended, disabled] = [await notified(), await notified(), await notified()];
    await webhooks.setPartner(suspended.partnerId, 'suspended');
    await webhooks.call(operatorDisableEndpoint, { params: { endpointId: disabled.id } });
    await passDays(91);
    await passDays(91);
    expect([await side(idle), await side(suspended), await side(disabled)]).toEqual([
      'above',
      'above',
      'above',
    ]);
  });

  test('a side is deleted 90 days after its last subscription, also without scans', async () => {
    const endpoint = await notified();
    await passDays(200);
    await unsubscribe(endpoint);
    await passDays(89);
    expect(await side(endpoint)).toBe('above');
    await passDays(2);
    expect(await side(endpoint)).toBeUndefined();
  });

  test('a side whose brand is unknown is deleted after 90 days, although a subscription covers every brand', async () => {
    const endpoint = await notified();
    await webhooks.pool.query('delete from brands where id = $1', [brandId]);
    await passDays(91);
    expect(await side(endpoint)).toBeUndefined();
  });

  test('a subscription to another event, threshold, market, brand or organisation does not keep a side', async () => {
    const others = [
      { event_type: 'sentiment.threshold_crossed' },
      { threshold: 51 },
      { country: 'DE' },
      { brand_id: randomUUID() },
      { org_id: randomUUID() },
    ];
    for (const other of others) {
      const endpoint = await notified();
      await setBrandOrg(brandId, endpoint.orgId);
      const columns = Object.keys(other).map((name, index) => `${name} = $${index + 2}`);
      await webhooks.pool.query(`update subscriptions set ${columns.join(', ')} where id = $1`, [
        endpoint.subscriptionId,
        ...Object.values(other),
      ]);
      await passDays(91);
      expect([other, await side(endpoint)]).toEqual([other, undefined]);
    }
  });

  test('the sides of a deleted organisation or endpoint are deleted', async () => {
    const [ofOrg, ofEndpoint] = [await notified(), await notified()];
    await passDays(91);
    expect([await side(ofOrg), await side(ofEndpoint)]).toEqual(['above', 'above']);
    await setBrandOrg(brandId, ofOrg.orgId);
    await webhooks.pool.query('insert into orgs (id, deleted_at, version) values ($1, now(), 1)', [
      ofOrg.orgId,
    ]);
    const params = { endpointId: ofEndpoint.id };
    await webhooks.as(ofEndpoint.partnerId, deleteWebhookEndpoint, { params });
    await passDays(91);
    expect([await side(ofOrg), await side(ofEndpoint)]).toEqual([undefined, undefined]);
  });
});
