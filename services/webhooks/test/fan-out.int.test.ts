import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { operatorDisableEndpoint } from '@bv/contract';
import { experimentCompleted, type TypedEnvelope, scanScored } from '@bv/events';
import { type Transaction, transaction } from '@bv/postgres';
import { type Receiver, startReceiver } from '@bv/testkit';
import {
  activeEndpoint,
  createEndpoint,
  makeDue,
  waitForDelivery,
  waitForStatus,
  publishScan,
  readDeliveries,
  subscribe,
} from './harness.ts';
import { onScanScored } from '../src/events/on-scan-scored.ts';
import { scoredScan } from './scans.ts';
import { startWebhooks, type Webhooks } from './start-webhooks.ts';

let webhooks: Webhooks;
let receiver: Receiver;
let broken: Receiver;
beforeAll(async () => {
  [webhooks, receiver, broken] = await Promise.all([
    startWebhooks({ WEBHOOKS_SCHEDULE_MS: '0,600000', WEBHOOKS_JITTER_PERCENT: '0' }),
    startReceiver(),
    startReceiver(({ body }) => (body.includes('endpoint.ping') ? 200 : 500)),
  ]);
});
afterAll(async () => {
  await Promise.all([webhooks.stop(), receiver.close(), broken.close()]);
});

test('a redelivered domain event adds nothing, nor does a second event of the scan', async () => {
  const endpoint = await activeEndpoint(webhooks, receiver.url);
  const scan = await publishScan(webhooks, { orgId: endpoint.orgId });
  await webhooks.publish(scanScored, scan.job_id, scan);
  await webhooks.publish(scanScored, scan.job_id, scan);
  await webhooks.waitUntilApplied();
  await waitForDelivery(webhooks, endpoint, ({ status }) => status === 'succeeded');
  expect(await readDeliveries(webhooks, endpoint)).toHaveLength(1);
});

test('two matching subscriptions are one delivery', async () => {
  const endpoint = await activeEndpoint(webhooks, receiver.url);
  await subscribe(webhooks, endpoint, { event_type: 'scan.completed', org_id: endpoint.orgId });
  const other = randomUUID();
  await webhooks.setLink(endpoint.partnerId, other);
  await publishScan(webhooks, { orgId: other });
  await publishScan(webhooks, { orgId: endpoint.orgId });
  await webhooks.waitUntilApplied();
  expect(await readDeliveries(webhooks, endpoint)).toHaveLength(2);
});

test('one event per crossing and series, also when a day is scanned twice with one result', async () => {
  const partner = await webhooks.newPartner();
  const endpoint = await createEndpoint(webhooks, partner, receiver.url);
  await waitForStatus(webhooks, endpoint, 'active');
  const brandId = randomUUID();
  await subscribe(webhooks, endpoint, { event_type: 'score.threshold_crossed', threshold: 50 });
  await subscribe(webhooks, endpoint, {
    event_type: 'score.threshold_crossed',
    threshold: 50,
    country: 'DE',
    direction: 'down',
  });
  await subscribe(webhooks, endpoint, { event_type: 'sentiment.threshold_crossed', threshold: 90 });
  const scan = {
    orgId: endpoint.orgId,
    brandId,
    score: [40, 60] as [number, number],
    countries: { DE: [60, 40] as [number, number] },
  };
  // Each is applied before the next: an overtaken event changes no state.
  await publishScan(webhooks, scan);
  await webhooks.waitUntilApplied();
  await publishScan(webhooks, scan);
  await webhooks.waitUntilApplied();
  await publishScan(webhooks, {
    ...scan,
    runDate: '2026-11-22',
    score: [60, 65],
    countries: { DE: [40, 45] },
  });
  await webhooks.waitUntilApplied();
  const { rows } = await webhooks.pool.query(
    'select body from events where partner_id = $1 and org_id is not null',
    [endpoint.partnerId],
  );
  const crossings = rows.map(({ body }) => JSON.parse(body).data);
  expect(crossings.map(({ country, direction }) => `${country} ${direction}`).toSorted()).toEqual([
    'DE down',
    'null up',
  ]);
  expect(await readDeliveries(webhooks, endpoint)).toHaveLength(2);
});

test('no delivery for unlinked organisations, suspended partners, unverified or disabled endpoints', async () => {
  const [unlinked, suspended, disabled] = [
    await activeEndpoint(webhooks, receiver.url),
    await activeEndpoint(webhooks, receiver.url),
    await activeEndpoint(webhooks, receiver.url),
  ];
  const unverified = await createEndpoint(webhooks, await webhooks.newPartner(), 'http://127.0.0.1:1025/');
  await subscribe(webhooks, unverified, { event_type: 'scan.completed' });
  await webhooks.setLink(unlinked.partnerId, unlinked.orgId, false);
  await webhooks.setPartner(suspended.partnerId, 'suspended');
  await webhooks.call(operatorDisableEndpoint, { params: { endpointId: disabled.id } });
  for (const endpoint of [unlinked, suspended, disabled, unverified]) {
    await publishScan(webhooks, { orgId: endpoint.orgId });
  }
  await webhooks.waitUntilApplied();
  for (const endpoint of [unlinked, suspended, disabled, unverified]) {
    expect(await readDeliveries(webhooks, endpoint)).toEqual([]);
  }
});

test.each(['link', 'partner'] as const)(
  'a queued retry is not sent after the %s was revoked or suspended',
  async (what) => {
    const endpoint = await activeEndpoint(webhooks, broken.url);
    const scan = await publishScan(webhooks, { orgId: endpoint.orgId });
    await waitForDelivery(
      webhooks,
      endpoint,
      ({ attempts, status }) => attempts === 1 && status === 'pending',
    );
    if (what === 'link') await webhooks.setLink(endpoint.partnerId, endpoint.orgId, false);
    else await webhooks.setPartner(endpoint.partnerId, 'suspended');
    // Due only now, so that a slow machine does not send it before the change.
    await makeDue(webhooks, endpoint);
    const ended = await waitForDelivery(webhooks, endpoint, ({ status }) => status === 'dead');
    expect(ended).toMatchObject({ attempts: 1, next_attempt_at: null });
    expect(broken.requests.filter(({ body }) => body.includes(scan.job_id))).toHaveLength(1);
  },
);

test('a thousand endpoints: one delivery each, with the same number of statements as for one', async () => {
  const [few, many] = [await insertSubscribers(1, 1), await insertSubscribers(10, 100)];
  expect(await countStatements(few)).toBe(4);
  expect(await countStatements(many)).toBe(4);
  const { rows } = await webhooks.pool.query(
    `select count(*)::int as deliveries, count(distinct event_id)::int as events,
      count(distinct endpoint_id)::int as endpoints
    from deliveries where org_id = $1`,
    [many],
  );
  expect(rows[0]).toEqual({ deliveries: 1000, events: 10, endpoints: 1000 });
});

/** Partners linked to a new organisation, each with this number of subscribed endpoints. Returns the organisation. */
async function insertSubscribers(partners: number, endpoints: number): Promise<string> {
  const orgId = randomUUID();
  await webhooks.pool.query(
    `with p as (
        insert into partners (id, status, version) select gen_random_uuid(), 'active', 1 from generate_series(1, $2) returning id),
      l as (insert into links (partner_id, org_id, active, version) select id, $1, true, 1 from p),
      e as (
        insert into endpoints (id, partner_id, url, description, status, verified_at, created_at, updated_at)
        select gen_random_uuid(), p.id, 'http://127.0.0.1:9/', '', 'active', now(), now(), now()
        from p, generate_series(1, $3) returning id)
      insert into subscriptions (id, endpoint_id, event_type, created_at, updated_at)
      select gen_random_uuid(), id, 'scan.completed', now(), now() from e`,
    [orgId, partners, endpoints],
  );
  return orgId;
}

/** Counts the statements of the fan-out of a scan of the organisation. */
async function countStatements(orgId: string): Promise<number> {
  let statements = 0;
  const time = new Date().toISOString();
  await transaction(webhooks.pool, async (tx) => {
    const query = (...args: unknown[]): unknown => {
      statements += 1;
      return Reflect.apply(tx.query, tx, args);
    };
    const counting = { query } as unknown as Transaction;
    const envelope = { data: scoredScan({ orgId }), time } as TypedEnvelope<typeof scanScored>;
    await onScanScored(counting, envelope, () => new Date());
  });
  return statements;
}

test('a completed experiment is one event for those who asked for it, also if it is redelivered', async () => {
  const endpoint = await activeEndpoint(webhooks, receiver.url);
  const [brandId, id] = [randomUUID(), randomUUID()];
  await subscribe(webhooks, endpoint, { event_type: 'experiment.completed', org_id: endpoint.orgId });
  const brand = { id: brandId, name: 'Acme', domain: 'acme.com', external_ref: null };
  const arm = { prompt_ids: [randomUUID()], tags: [] };
  const experiment = {
    id,
    brand_id: brandId,
    name: 'New product pages',
    metric: 'mention_rate' as const,
    status: 'completed' as const,
    preregistered: true,
    registered_at: '2026-10-01T00:00:00.000000Z',
    starts_on: '2026-10-10',
    pre: { from: '2026-09-12', to: '2026-10-09' },
    post: { from: '2026-10-17', to: '2026-11-13' },
    treated: arm,
    control: arm,
    platforms: null,
    countries: null,
    note: null,
    design: { treated_prompts: 5, control_prompts: 5, smallest_detectable: null },
    result: null,
  };
  const data = { org_id: endpoint.orgId, brand_id: brandId, brand, experiment };
  await webhooks.publish(experimentCompleted, id, data);
  await webhooks.publish(experimentCompleted, id, data);
  await webhooks.waitUntilApplied();
  await waitForDelivery(webhooks, endpoint, ({ status }) => status === 'succeeded');
  expect(await readDeliveries(webhooks, endpoint)).toHaveLength(1);
  const { body } = await receiver.waitFor((request) => request.body.includes(id));
  expect(JSON.parse(body)).toMatchObject({ type: 'experiment.completed', data: { brand, experiment } });
});
