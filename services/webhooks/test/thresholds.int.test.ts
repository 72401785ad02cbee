import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { deleteSubscription } from '@bv/contract';
import { scanScored } from '@bv/events';
import { type Receiver, startReceiver } from '@bv/testkit';
import { createEndpoint, type Endpoint, handleScoredScan, waitForStatus, subscribe } from './harness.ts';
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

type Threshold = { threshold?: number; direction?: string; country?: string };

/** Creates a verified endpoint with a subscription to each of these score thresholds. */
async function createSubscriber(thresholds: Threshold[], partner?: { partnerId: string; orgId: string }) {
  const endpoint = await createEndpoint(
    webhooks,
    partner ?? (await webhooks.newPartner()),
    `${receiver.url}/${randomUUID()}`,
  );
  await waitForStatus(webhooks, endpoint, 'active');
  const subscriptionIds: string[] = [];
  for (const each of thresholds) subscriptionIds.push(await subscribeTo(endpoint, each));
  return { ...endpoint, subscriptionIds, brandId: randomUUID() };
}
const subscribeTo = (endpoint: Endpoint, thresholds: Threshold): Promise<string> =>
  subscribe(webhooks, endpoint, { event_type: 'score.threshold_crossed', threshold: 50, ...thresholds });

type Brand = { orgId: string; brandId: string };
type Figures = [earlier: number | null, value: number | null];

/** A scan whose newest day has these values. */
const createScan = ({ orgId, brandId }: Brand, score: Figures): ScoredScan =>
  scoredScan({ orgId, brandId, score });

const handleScan = (scan: ScoredScan): Promise<void> => handleScoredScan(webhooks, scan);
const handleScans = async (scans: ScoredScan[]): Promise<void> => {
  for (const scan of scans) await handleScan(scan);
};

/** Events of an endpoint in order, as `previous direction current`. */
async function readCrossings({ id }: Endpoint): Promise<string[]> {
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
const readStates = async ({ partnerId }: Endpoint) =>
  (
    await webhooks.pool.query(
      'select metric, country, threshold, side, value, run_date from threshold_states where partner_id = $1 order by country',
      [partnerId],
    )
  ).rows;

test('an alert that is not cleared: each change of side within a day is one event, also when redelivered', async () => {
  const endpoint = await createSubscriber([{}]);
  const scans = [100, 0, 100, 0].map((value) => createScan(endpoint, [0, value]));
  for (const scan of scans) {
    for (let copy = 0; copy < 2; copy += 1) await webhooks.publish(scanScored, scan.job_id, scan);
    await webhooks.waitUntilApplied();
  }
  expect(await readCrossings(endpoint)).toEqual(['0 up 100', '100 down 0', '0 up 100', '100 down 0']);
  expect(await readStates(endpoint)).toEqual([
    { metric: 'score', country: '', threshold: 50, side: 'below', value: 0, run_date: '2026-11-21' },
  ]);
});

test('messages out of order: a scan scored earlier than the one evaluated changes nothing', async () => {
  const endpoint = await createSubscriber([{}]);
  const scans = [0, 100, 0, 100].map((value) => createScan(endpoint, [null, value]));
  const [first, second, third, fourth] = scans as [ScoredScan, ScoredScan, ScoredScan, ScoredScan];
  await handleScans([first, fourth, second, third]);
  expect(await readCrossings(endpoint)).toEqual(['0 up 100']);
  expect(await readStates(endpoint)).toMatchObject([{ side: 'above', value: 100 }]);
});

test('parallel messages: copies of a scan and later scans are evaluated one after the other', async () => {
  const endpoint = await createSubscriber([{}, { threshold: 20 }, { threshold: 80 }]);
  await handleScan(createScan(endpoint, [null, 0]));
  const up = createScan(endpoint, [null, 100]);
  await Promise.all(Array.from({ length: 8 }, () => handleScan(up)));
  expect(await readCrossings(endpoint)).toEqual(['0 up 100', '0 up 100', '0 up 100']);
  const later = [0, 100, 0].map((value) => createScan(endpoint, [null, value]));
  await Promise.all([...later, ...later, ...later].map(handleScan));
  const crossings = await readCrossings(endpoint);
  // In any order of arrival, the newest scan is stored, and no side is reported twice in a row.
  expect(await readStates(endpoint)).toMatchObject([{ value: 0 }, { value: 0 }, { value: 0 }]);
  expect(crossings.filter((event) => event.includes('down'))).toHaveLength(
    crossings.filter((event) => event.includes('up')).length,
  );
});

test('parallel first evaluations store one state and send one event', async () => {
  const endpoint = await createSubscriber([{}]);
  const scans = Array.from({ length: 6 }, () => createScan(endpoint, [0, 100]));
  await Promise.all(scans.map(handleScan));
  expect(await readCrossings(endpoint)).toEqual(['0 up 100']);
  expect(await readStates(endpoint)).toMatchObject([{ side: 'above', value: 100 }]);
});

test('the direction of a subscription selects events, but does not affect the stored side', async () => {
  const partner = await webhooks.newPartner();
  const up = await createSubscriber([{ direction: 'up' }], partner);
  const down = await createSubscriber([{ direction: 'down' }], partner);
  const brand = { orgId: partner.orgId, brandId: randomUUID() };
  await handleScans([100, 30, 70, 10].map((value) => createScan(brand, [0, value])));
  expect(await readCrossings(up)).toEqual(['0 up 100', '30 up 70']);
  expect(await readCrossings(down)).toEqual(['100 down 30', '70 down 10']);

  const downOnly = await createSubscriber([{ direction: 'down' }]);
  await handleScans([100, 30].map((value) => createScan(downOnly, [0, value])));
  expect(await readCrossings(downOnly)).toEqual(['100 down 30']);
});

test('partners, brands, series and thresholds have their own sides', async () => {
  const first = await createSubscriber([{}, { country: 'DE' }, { threshold: 90 }]);
  const second = await createSubscriber([{}]);
  await webhooks.setLink(second.partnerId, first.orgId);
  const scanWithGermany = (score: Figures, german: Figures): ScoredScan =>
    scoredScan({ orgId: first.orgId, brandId: first.brandId, score, countries: { DE: german } });
  await handleScan(scanWithGermany([0, 60], [60, 70]));
  await handleScan(createScan({ orgId: first.orgId, brandId: randomUUID() }, [60, 70]));
  await handleScan(scanWithGermany([0, 95], [60, 20]));
  expect(await readCrossings(second)).toEqual(['0 up 60']);
  expect((await readCrossings(first)).toSorted()).toEqual(['0 up 60', '60 up 95', '70 down 20']);
});

test('a scan writes updated_at at most once a day', async () => {
  const endpoint = await createSubscriber([{}]);
  const updatedAt = async (): Promise<string> =>
    (
      await webhooks.pool.query('select updated_at::text as at from threshold_states where partner_id = $1', [
        endpoint.partnerId,
      ])
    ).rows[0].at;
  await handleScan(createScan(endpoint, [null, 0]));
  const first = await updatedAt();
  await handleScan(createScan(endpoint, [null, 100]));
  expect(await updatedAt()).toBe(first);
  await webhooks.pool.query(
    "update threshold_states set updated_at = updated_at - interval '25 hours' where partner_id = $1",
    [endpoint.partnerId],
  );
  await handleScan(createScan(endpoint, [null, 0]));
  expect((await updatedAt()) > first).toBe(true);
});

test('a second subscription to a stored threshold repeats no crossing; a recreated one continues', async () => {
  const endpoint = await createSubscriber([{}]);
  await handleScan(createScan(endpoint, [0, 100]));
  const other = await createSubscriber([{}, { direction: 'up', threshold: 50 }], endpoint);
  await handleScan(createScan(endpoint, [0, 100]));
  expect(await readCrossings(other)).toEqual([]);

  for (const { id, subscriptionIds } of [endpoint, other]) {
    for (const subscriptionId of subscriptionIds) {
      const params = { endpointId: id, subscriptionId };
      expect((await webhooks.as(endpoint.partnerId, deleteSubscription, { params })).status).toBe(200);
    }
  }
  await handleScan(createScan(endpoint, [0, 0]));
  await subscribeTo(endpoint, {});
  await handleScan(createScan(endpoint, [0, 100]));
  expect(await readCrossings(endpoint)).toEqual(['0 up 100']);
  await handleScan(createScan(endpoint, [0, 10]));
  expect(await readCrossings(endpoint)).toEqual(['0 up 100', '100 down 10']);
});

test('a revoked and restored link continues with the last reported side', async () => {
  const endpoint = await createSubscriber([{}]);
  await handleScan(createScan(endpoint, [0, 100]));
  await webhooks.setLink(endpoint.partnerId, endpoint.orgId, false);
  await handleScans([
    createScan(endpoint, [0, 0]),
    createScan(endpoint, [0, 100]),
    createScan(endpoint, [0, 5]),
  ]);
  await webhooks.setLink(endpoint.partnerId, endpoint.orgId);
  await handleScan(createScan(endpoint, [0, 5]));
  expect(await readCrossings(endpoint)).toEqual(['0 up 100', '100 down 5']);
});
