import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type EnvelopeOf, scanScored } from '@bv/events';
import { transaction } from '@bv/postgres';
import { type Receiver, startReceiver } from '@bv/testkit';
import { onScanScored } from '../src/events/on-scan-scored.ts';
import { allApplied, createEndpoint, type Endpoint, hasStatus, publishScan, subscribe } from './harness.ts';
import { scoredScan, type ScoredScan } from './scans.ts';
import { startWebhooks, type Webhooks } from './start-webhooks.ts';

let webhooks: Webhooks;
let receiver: Receiver;
beforeAll(async () => {
  [webhooks, receiver] = await Promise.all([startWebhooks(), startReceiver()]);
});
afterAll(async () => {
  await Promise.all([webhooks.stop(), receiver.close()]);
});

type Wanted = { threshold?: number; direction?: string; country?: string };

/** A verified endpoint with a subscription to the score of each of these thresholds. */
async function subscriber(wanted: Wanted[], partner?: { partnerId: string; orgId: string }) {
  const endpoint = await createEndpoint(
    webhooks,
    partner ?? (await webhooks.newPartner()),
    `${receiver.url}/${randomUUID()}`,
  );
  await hasStatus(webhooks, endpoint, 'active');
  const subscriptionIds: string[] = [];
  for (const each of wanted) subscriptionIds.push(await subscribeTo(endpoint, each));
  return { ...endpoint, subscriptionIds, brandId: randomUUID() };
}
const subscribeTo = (endpoint: Endpoint, wanted: Wanted): Promise<string> =>
  subscribe(webhooks, endpoint, { event_type: 'score.threshold_crossed', threshold: 50, ...wanted });

type Brand = { orgId: string; brandId: string };
type Figures = [earlier: number | null, value: number | null];

/** A scan of today that leaves these figures of the newest day behind. */
const scanOf = ({ orgId, brandId }: Brand, score: Figures): ScoredScan =>
  scoredScan({ orgId, brandId, score });

/** Applies a scored scan as the consumer does: in one transaction. */
const apply = (scan: ScoredScan): Promise<void> =>
  transaction(
    webhooks.pool,
    (tx) =>
      onScanScored(
        tx,
        { data: scan, time: new Date().toISOString() } as EnvelopeOf<typeof scanScored>,
        () => new Date(),
      ),
    { retries: 2 },
  );
const applyAll = async (scans: ScoredScan[]): Promise<void> => {
  for (const scan of scans) await apply(scan);
};

/** What was sent to an endpoint, in order: `previous direction current`. */
async function sentTo({ id }: Endpoint): Promise<string[]> {
  const { rows } = await webhooks.pool.query(
    `select e.body from deliveries d join events e on e.id = d.event_id
     where d.endpoint_id = $1 and not d.is_ping
     order by e.created_at, e.id`,
    [id],
  );
  return rows.map(({ body }) => {
    const { previous, direction, current } = JSON.parse(body).data;
    return `${previous} ${direction} ${current}`;
  });
}
const storedFor = async ({ partnerId }: Endpoint) =>
  (
    await webhooks.pool.query(
      'select metric, country, threshold, side, value, run_date from threshold_states where partner_id = $1 order by country',
      [partnerId],
    )
  ).rows;

test('an alert that is not cleared: each change of side within a day is one event, also when redelivered', async () => {
  const endpoint = await subscriber([{}]);
  const scans = [100, 0, 100, 0].map((value) => scanOf(endpoint, [0, value]));
  for (const scan of scans) {
    for (let copy = 0; copy < 2; copy += 1) await webhooks.publish(scanScored, scan.job_id, scan);
    await allApplied(webhooks);
  }
  expect(await sentTo(endpoint)).toEqual(['0 up 100', '100 down 0', '0 up 100', '100 down 0']);
  expect(await storedFor(endpoint)).toEqual([
    { metric: 'score', country: '', threshold: 50, side: 'below', value: 0, run_date: '2026-11-21' },
  ]);
});

test('a crossing reported twice: a late scan of yesterday evaluates today, which was reported', async () => {
  const endpoint = await subscriber([{}]);
  const late = { ...scanOf(endpoint, [100, 100]), run_date: '2026-11-20' };
  await applyAll([scanOf(endpoint, [0, 100]), late]);
  expect(await sentTo(endpoint)).toEqual(['0 up 100']);
});

test('a crossing lost on a day without a value is reported by the next value', async () => {
  const endpoint = await subscriber([{}]);
  await applyAll([scanOf(endpoint, [null, 0]), scanOf(endpoint, [0, null]), scanOf(endpoint, [0, 100])]);
  expect(await sentTo(endpoint)).toEqual(['0 up 100']);
});

test('messages out of order: a scan scored earlier than the one evaluated changes nothing', async () => {
  const endpoint = await subscriber([{}]);
  const scans = [0, 100, 0, 100].map((value) => scanOf(endpoint, [null, value]));
  const [first, second, third, fourth] = scans as [ScoredScan, ScoredScan, ScoredScan, ScoredScan];
  await applyAll([first, fourth, second, third]);
  expect(await sentTo(endpoint)).toEqual(['0 up 100']);
  expect(await storedFor(endpoint)).toMatchObject([{ side: 'above', value: 100 }]);
});

test('messages at once: copies of one scan and its successors are evaluated one after the other', async () => {
  const endpoint = await subscriber([{}, { threshold: 20 }, { threshold: 80 }]);
  await apply(scanOf(endpoint, [null, 0]));
  const up = scanOf(endpoint, [null, 100]);
  await Promise.all(Array.from({ length: 8 }, () => apply(up)));
  expect(await sentTo(endpoint)).toEqual(['0 up 100', '0 up 100', '0 up 100']);
  const later = [0, 100, 0].map((value) => scanOf(endpoint, [null, value]));
  await Promise.all([...later, ...later, ...later].map(apply));
  const sent = await sentTo(endpoint);
  // Whatever the order of arrival, the last one scored is what is stored, and no side is reported twice in a row.
  expect(await storedFor(endpoint)).toMatchObject([{ value: 0 }, { value: 0 }, { value: 0 }]);
  expect(sent.filter((event) => event.includes('down'))).toHaveLength(
    sent.filter((event) => event.includes('up')).length,
  );
});

test('first evaluations at once store one state and send one event', async () => {
  const endpoint = await subscriber([{}]);
  const scans = Array.from({ length: 6 }, () => scanOf(endpoint, [0, 100]));
  await Promise.all(scans.map(apply));
  expect(await sentTo(endpoint)).toEqual(['0 up 100']);
  expect(await storedFor(endpoint)).toMatchObject([{ side: 'above', value: 100 }]);
});

test('the direction of a subscription selects what is sent; the side is kept whatever it is', async () => {
  const partner = await webhooks.newPartner();
  const up = await subscriber([{ direction: 'up' }], partner);
  const down = await subscriber([{ direction: 'down' }], partner);
  const brand = { orgId: partner.orgId, brandId: randomUUID() };
  await applyAll([100, 30, 70, 10].map((value) => scanOf(brand, [0, value])));
  expect(await sentTo(up)).toEqual(['0 up 100', '30 up 70']);
  expect(await sentTo(down)).toEqual(['100 down 30', '70 down 10']);

  const lonely = await subscriber([{ direction: 'down' }]);
  await applyAll([100, 30].map((value) => scanOf(lonely, [0, value])));
  expect(await sentTo(lonely)).toEqual(['100 down 30']);
});

test('partners, brands, series and thresholds have sides of their own', async () => {
  const first = await subscriber([{}, { country: 'DE' }, { threshold: 90 }]);
  const second = await subscriber([{}]);
  await webhooks.setLink(second.partnerId, first.orgId);
  const de = (score: Figures, german: Figures): ScoredScan =>
    scoredScan({ orgId: first.orgId, brandId: first.brandId, score, countries: { DE: german } });
  await apply(de([0, 60], [60, 70]));
  await apply(scanOf({ orgId: first.orgId, brandId: randomUUID() }, [60, 70]));
  await apply(de([0, 95], [60, 20]));
  expect(await sentTo(second)).toEqual(['0 up 60']);
  expect((await sentTo(first)).toSorted()).toEqual(['0 up 60', '60 up 95', '70 down 20']);
});

test('changes that no subscription wants are events too: previous is the value of the last one', async () => {
  const endpoint = await subscriber([{ direction: 'up' }]);
  await applyAll([100, 30, 40, 70].map((value) => scanOf(endpoint, [0, value])));
  expect(await sentTo(endpoint)).toEqual(['0 up 100', '30 up 70']);
});

test('a scan of one market evaluates a subscription to another for the first time', async () => {
  const endpoint = await subscriber([{ country: 'DE' }]);
  const scan = scoredScan({ orgId: endpoint.orgId, brandId: endpoint.brandId, countries: { DE: [0, 100] } });
  await apply({ ...scan, series: scan.series.filter(({ country }) => country !== 'DE') });
  expect(await sentTo(endpoint)).toEqual(['0 up 100']);
});

test('a scan writes updated_at once a day at most', async () => {
  const endpoint = await subscriber([{}]);
  const updatedAt = async (): Promise<string> =>
    (
      await webhooks.pool.query('select updated_at::text as at from threshold_states where partner_id = $1', [
        endpoint.partnerId,
      ])
    ).rows[0].at;
  await apply(scanOf(endpoint, [null, 0]));
  const first = await updatedAt();
  await apply(scanOf(endpoint, [null, 100]));
  expect(await updatedAt()).toBe(first);
  await webhooks.pool.query(
    "update threshold_states set updated_at = updated_at - interval '25 hours' where partner_id = $1",
    [endpoint.partnerId],
  );
  await apply(scanOf(endpoint, [null, 0]));
  expect((await updatedAt()) > first).toBe(true);
});

test('a subscription to a threshold that is stored reports no crossing again; made again, it continues', async () => {
  const endpoint = await subscriber([{}]);
  await apply(scanOf(endpoint, [0, 100]));
  const other = await subscriber([{}, { direction: 'up', threshold: 50 }], endpoint);
  await apply(scanOf(endpoint, [0, 100]));
  expect(await sentTo(other)).toEqual([]);

  for (const { id, subscriptionIds } of [endpoint, other]) {
    for (const subscriptionId of subscriptionIds) {
      const path = `/webhook-endpoints/${id}/subscriptions/${subscriptionId}`;
      expect((await webhooks.as(endpoint.partnerId, { method: 'DELETE', path })).status).toBe(200);
    }
  }
  await apply(scanOf(endpoint, [0, 0]));
  await subscribeTo(endpoint, {});
  await apply(scanOf(endpoint, [0, 100]));
  expect(await sentTo(endpoint)).toEqual(['0 up 100']);
  await apply(scanOf(endpoint, [0, 10]));
  expect(await sentTo(endpoint)).toEqual(['0 up 100', '100 down 10']);
});

test('a link that is revoked and made again continues with the side last reported', async () => {
  const endpoint = await subscriber([{}]);
  await apply(scanOf(endpoint, [0, 100]));
  await webhooks.setLink(endpoint.partnerId, endpoint.orgId, false);
  await applyAll([scanOf(endpoint, [0, 0]), scanOf(endpoint, [0, 100]), scanOf(endpoint, [0, 5])]);
  await webhooks.setLink(endpoint.partnerId, endpoint.orgId);
  await apply(scanOf(endpoint, [0, 5]));
  expect(await sentTo(endpoint)).toEqual(['0 up 100', '100 down 5']);
});

test('an upgrade: a crossing that the former release sent for the day is not sent again', async () => {
  const endpoint = await subscriber([{}]);
  const key = ['score.threshold_crossed', endpoint.brandId, '', '2026-11-21', 50, 'up'].join(':');
  await webhooks.pool.query(
    `insert into events (id, partner_id, org_id, type, dedupe_key, body, created_at)
     values (gen_random_uuid(), $1, $2, 'score.threshold_crossed', $3, '{}', now())`,
    [endpoint.partnerId, endpoint.orgId, key],
  );
  await apply(scanOf(endpoint, [0, 100]));
  expect(await sentTo(endpoint)).toEqual([]);
  await applyAll([scanOf(endpoint, [0, 0]), scanOf(endpoint, [0, 100])]);
  expect(await sentTo(endpoint)).toEqual(['100 down 0', '0 up 100']);
});

test('a rolling upgrade: events without newest days are evaluated by their day, in the order of their tokens', async () => {
  const endpoint = await subscriber([{}]);
  const former = (score: Figures, runDate?: string): ScoredScan => {
    const { newest_days: _, ...scan } = { ...scanOf(endpoint, score), ...(runDate && { run_date: runDate }) };
    return scan;
  };
  const [early, late] = [former([0, 100]), former([0, 20])];
  await publishScan(webhooks, { ...endpoint, score: [null, 0], runDate: '2026-11-20' });
  await allApplied(webhooks);
  await applyAll([late, early, former([0, 100]), former([0, 0], '2026-11-20')]);
  expect(await sentTo(endpoint)).toEqual(['0 up 100']);
  await apply(scanOf(endpoint, [0, 10]));
  expect(await sentTo(endpoint)).toEqual(['0 up 100', '100 down 10']);
});
