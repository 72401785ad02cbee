import { randomUUID } from 'node:crypto';
import { transaction } from '@bv/postgres';
import { eventually, type Receiver, startReceiver, waitUntilLocked } from '@bv/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { activeEndpoint, handleInTransaction, handleScoredScan, subscribe } from './harness.ts';
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

const requestPurge = (orgId: string) =>
  webhooks.pool.query('insert into org_purges (org_id, requested_at) values ($1, now())', [orgId]);

/** Deleted rows by table, once none is left. */
const readPurge = (orgId: string) =>
  eventually(
    async () => {
      const text = 'select removed from org_purges where org_id = $1 and completed_at is not null';
      const { rows } = await webhooks.pool.query<{ removed: Record<string, number> }>(text, [orgId]);
      expect(rows).toHaveLength(1);
      return rows[0]?.removed ?? {};
    },
    { timeoutMs: 60_000 },
  );

const countStates = async (brandId: string) => {
  const text = 'select count(*)::int as count from threshold_states where brand_id = $1';
  return (await webhooks.pool.query<{ count: number }>(text, [brandId])).rows[0]?.count;
};

/** An endpoint with a subscription to a threshold of every brand. */
const subscribed = async () => {
  const endpoint = await activeEndpoint(webhooks, receiver.url);
  await subscribe(webhooks, endpoint, { event_type: 'score.threshold_crossed', threshold: 50 });
  return endpoint;
};

test('events are deleted with their deliveries and attempts, those of others stay', async () => {
  const [purged, kept] = [await subscribed(), await subscribed()];
  for (const { orgId } of [purged, kept]) {
    for (let scan = 0; scan < 3; scan += 1) {
      await handleScoredScan(webhooks, scoredScan({ orgId, brandId: randomUUID(), score: [0, 100] }));
    }
  }
  await eventually(async () => {
    const { rows } = await webhooks.pool.query(`select from deliveries where status <> 'succeeded'`);
    expect(rows).toEqual([]);
  });
  await requestPurge(purged.orgId);
  expect(await readPurge(purged.orgId)).toEqual({
    // Of the threshold and of the end of each scan.
    events: 6,
    deliveries: 6,
    threshold_states: 3,
    brands: 3,
    links: 1,
  });
  const { rows } = await webhooks.pool.query(
    `select org_id, count(*)::int as deliveries from deliveries where org_id is not null group by org_id`,
  );
  expect(rows).toEqual([{ org_id: kept.orgId, deliveries: 6 }]);
});

test('the side of a threshold that is stored while its brand is purged is deleted too', async () => {
  const { orgId } = await subscribed();
  const brandId = randomUUID();
  await webhooks.pool.query('insert into brands (id, org_id, is_own, version) values ($1, $2, true, 1)', [
    brandId,
    orgId,
  ]);
  await transaction(webhooks.pool, async (tx) => {
    await handleInTransaction(tx, scoredScan({ orgId, brandId, score: [0, 100] }));
    await requestPurge(orgId);
    await waitUntilLocked(webhooks.pool, 'from brands%for update');
  });
  expect(await readPurge(orgId)).toMatchObject({ threshold_states: 1, brands: 1 });
  expect(await countStates(brandId)).toBe(0);
});
