import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { createSubscription, defaultMatchRules } from '@bv/contract';
import { brandChanged, type EventData, findBrandRpc, orgChanged, serveRpc } from '@bv/events';
import { type Receiver, startReceiver } from '@bv/testkit';
import { createEndpoint, type Endpoint } from './harness.ts';
import { startWebhooks, type Webhooks } from './start-webhooks.ts';

const at = '2026-11-21T03:00:00.000Z';
/** The brands that the catalog stub returns. */
const catalog = new Map<string, EventData<typeof brandChanged>>();

let webhooks: Webhooks;
let receiver: Receiver;
let endpoint: Endpoint;
beforeAll(async () => {
  [webhooks, receiver] = await Promise.all([startWebhooks(), startReceiver()]);
  serveRpc(
    webhooks.connection,
    findBrandRpc,
    async ({ id }) => {
      const data = catalog.get(id);
      return data === undefined ? null : { version: 1, data };
    },
    { queue: 'catalog', log: webhooks.log },
  );
  endpoint = await createEndpoint(webhooks, await webhooks.newPartner(), receiver.url);
});
afterAll(async () => {
  await Promise.all([webhooks.stop(), receiver.close()]);
});

const brand = (orgId: string, isOwn = true): EventData<typeof brandChanged> => ({
  id: randomUUID(),
  org_id: orgId,
  name: 'Acme',
  domain: 'acme.com',
  aliases: [],
  match: defaultMatchRules,
  is_own: isOwn,
  external_ref: null,
  geography: 'global',
  sunset_at: null,
  created_at: at,
  updated_at: at,
  competitors: [],
});
const subscribe = (
  body: unknown,
  id = endpoint.id,
  partnerId = endpoint.partnerId,
  operationId: string = randomUUID(),
) =>
  webhooks.as(partnerId, createSubscription, {
    params: { endpointId: id },
    body,
    caller: { operationId },
  });

describe('201', () => {
  test('scan.completed of every linked organisation', async () => {
    const operationId = randomUUID();
    const { status, body, data } = await subscribe(
      { event_type: 'scan.completed' },
      endpoint.id,
      endpoint.partnerId,
      operationId,
    );
    expect(status).toBe(201);
    expect(data).toEqual({
      id: expect.any(String),
      endpoint_id: endpoint.id,
      event_type: 'scan.completed',
      org_id: null,
      brand_id: null,
      threshold: null,
      direction: null,
      country: null,
      metric: null,
      window_days: null,
      confidence: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const again = await subscribe(
      { event_type: 'scan.completed' },
      endpoint.id,
      endpoint.partnerId,
      operationId,
    );
    expect(again.body).toEqual(body);
  });
  test('a threshold: both directions by default, country codes in any case', async () => {
    const { data } = await subscribe({
      event_type: 'score.threshold_crossed',
      org_id: endpoint.orgId.toUpperCase(),
      threshold: 49.5,
      country: 'de',
    });
    expect(data).toMatchObject({
      org_id: endpoint.orgId,
      threshold: 49.5,
      direction: 'both',
      country: 'DE',
    });
  });
  test('a change: the score of 7 days with 99.99 % by default; others are separate subscriptions', async () => {
    const { data } = await subscribe({ event_type: 'score.changed' });
    expect(data).toMatchObject({
      metric: 'score',
      window_days: 7,
      confidence: 0.9999,
      threshold: null,
      direction: null,
      country: null,
    });
    const other = {
      event_type: 'score.changed',
      metric: 'sentiment',
      window_days: 28,
      confidence: 0.95,
      country: 'de',
    };
    expect((await subscribe(other)).data).toMatchObject({
      metric: 'sentiment',
      window_days: 28,
      confidence: 0.95,
      country: 'DE',
    });
    for (const member of [
      { metric: 'mention_rate' },
      { window_days: 28 },
      { confidence: 0.99 },
      { country: 'de' },
    ]) {
      expect((await subscribe({ event_type: 'score.changed', ...member })).status).toBe(201);
    }
    const equal = await subscribe({
      event_type: 'score.changed',
      metric: 'score',
      window_days: 7,
      confidence: 0.9999,
    });
    expect(equal.refusal).toMatchObject({ status: 409, details: { existing_id: data.id } });
  });
  test('a brand determines its organisation; unknown brands are requested from catalog', async () => {
    const projected = brand(endpoint.orgId);
    await webhooks.publish(brandChanged, projected.id, projected);
    await webhooks.waitUntilApplied();
    const unprojected = brand(endpoint.orgId);
    catalog.set(unprojected.id, unprojected);
    for (const { id } of [projected, unprojected]) {
      const { status, data } = await subscribe({ event_type: 'scan.completed', brand_id: id });
      expect(status).toBe(201);
      expect(data).toMatchObject({ brand_id: id, org_id: endpoint.orgId });
    }
  });
});

describe('400 validation_error', () => {
  const threshold = { event_type: 'sentiment.threshold_crossed', threshold: 50 };
  test.each([
    [{}, 'event_type', 'invalid_value'],
    [{ event_type: 'endpoint.ping' }, 'event_type', 'invalid_value'],
    [{ event_type: 'scan.completed', colour: 'red' }, 'colour', 'unrecognized_keys'],
    [{ event_type: 'scan.completed', threshold: 50 }, 'threshold', 'invalid_value'],
    [{ event_type: 'scan.completed', direction: 'up' }, 'direction', 'invalid_value'],
    [{ event_type: 'score.threshold_crossed' }, 'threshold', 'invalid_type'],
    [{ ...threshold, threshold: 101 }, 'threshold', 'too_big'],
    [{ ...threshold, threshold: -1 }, 'threshold', 'too_small'],
    [{ ...threshold, threshold: '50' }, 'threshold', 'invalid_type'],
    [{ ...threshold, direction: 'left' }, 'direction', 'invalid_value'],
    [{ ...threshold, org_id: 'x' }, 'org_id', 'invalid_format'],
    [{ ...threshold, brand_id: 5 }, 'brand_id', 'invalid_type'],
    [{ ...threshold, country: '' }, 'country', 'too_small'],
    [{ ...threshold, metric: 'score' }, 'metric', 'invalid_value'],
    [{ event_type: 'scan.completed', window_days: 7 }, 'window_days', 'invalid_value'],
    [{ ...threshold, confidence: 0.95 }, 'confidence', 'invalid_value'],
    [{ event_type: 'score.changed', confidence: 0.5 }, 'confidence', 'invalid_value'],
    [{ event_type: 'score.changed', confidence: '0.95' }, 'confidence', 'invalid_value'],
    [{ event_type: 'score.changed', threshold: 50 }, 'threshold', 'invalid_value'],
    [{ event_type: 'score.changed', window_days: 14 }, 'window_days', 'invalid_value'],
    [{ event_type: 'score.changed', metric: 'position' }, 'metric', 'invalid_value'],
  ])('%p', async (body, path, code) => {
    const response = await subscribe(body);
    expect(response.refusal).toMatchObject({
      status: 400,
      code: 'validation_error',
      details: expect.arrayContaining([expect.objectContaining({ path, code })]),
    });
  });
  test('own_brand_only: a competitor of a linked organisation', async () => {
    const competitor = brand(endpoint.orgId, false);
    catalog.set(competitor.id, competitor);
    const { error } = await subscribe({ event_type: 'scan.completed', brand_id: competitor.id });
    expect(error.details).toEqual([expect.objectContaining({ path: 'brand_id', code: 'own_brand_only' })]);
  });
  test('invalid_json', async () => {
    expect((await subscribe('{')).refusal).toMatchObject({ status: 400, code: 'invalid_json' });
  });
});

describe('404 not_found', () => {
  const completed = { event_type: 'scan.completed' };
  test('an endpoint unknown or of another partner', async () => {
    for (const response of [
      await subscribe(completed, randomUUID()),
      await subscribe(completed, endpoint.id, randomUUID()),
    ]) {
      expect(response.refusal).toMatchObject({ status: 404, code: 'not_found' });
    }
  });
  test('an organisation that is not linked, no longer linked, or deleted', async () => {
    const [revoked, deleted] = [randomUUID(), randomUUID()];
    await webhooks.setLink(endpoint.partnerId, revoked);
    await webhooks.setLink(endpoint.partnerId, revoked, false);
    await webhooks.setLink(endpoint.partnerId, deleted);
    await webhooks.publish(orgChanged, deleted, {
      id: deleted,
      name: 'Gone',
      tier: 'growth',
      api_access: true,
      on_demand_scans: true,
      limits: { prompts: 1, own_brands: 1, countries: 1, competitors_per_brand: 1, manual_scans: 1 },
      retention: { answer_text_days: null, unit_days: null },
      created_at: at,
      updated_at: at,
      deleted_at: at,
      purge_requested_at: null,
    });
    await webhooks.waitUntilApplied();
    for (const org_id of [randomUUID(), revoked, deleted]) {
      const response = await subscribe({ ...completed, org_id });
      expect(response.refusal).toMatchObject({ status: 404, code: 'not_found' });
    }
  });
  test('a brand that does not exist, or of another or an unlinked organisation', async () => {
    const [linked, unlinked] = [brand(endpoint.orgId), brand(randomUUID(), false)];
    for (const data of [linked, unlinked]) catalog.set(data.id, data);
    const other = randomUUID();
    await webhooks.setLink(endpoint.partnerId, other);
    for (const scope of [
      { brand_id: randomUUID() },
      { brand_id: linked.id, org_id: other },
      { brand_id: unlinked.id },
    ]) {
      const response = await subscribe({ ...completed, ...scope });
      expect(response.refusal).toMatchObject({ status: 404, code: 'not_found' });
    }
  });
});

describe('409 conflict', () => {
  test('an equal subscription, also when created in parallel', async () => {
    const body = { event_type: 'sentiment.threshold_crossed', threshold: 12 };
    const responses = await Promise.all([1, 2, 3].map(() => subscribe(body)));
    const created = responses.filter(({ status }) => status === 201);
    const conflicts = responses.filter(({ status }) => status === 409);
    expect([created.length, conflicts.length]).toEqual([1, 2]);
    expect(conflicts[0]?.error).toMatchObject({
      code: 'conflict',
      details: { existing_id: created[0]?.data.id },
    });
  });
  test('more than 100 subscriptions on an endpoint', async () => {
    const full = await createEndpoint(webhooks, await webhooks.newPartner(), receiver.url);
    await webhooks.pool.query(
      `insert into subscriptions (id, endpoint_id, event_type, threshold, direction, created_at, updated_at)
        select gen_random_uuid(), $1, 'sentiment.threshold_crossed', n, 'both', now(), now() from generate_series(1, 97) n`,
      [full.id],
    );
    const responses = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((threshold) =>
        subscribe({ event_type: 'score.threshold_crossed', threshold }, full.id, full.partnerId),
      ),
    );
    const counts = Map.groupBy(responses, ({ status }) => status);
    expect([counts.get(201)?.length, counts.get(409)?.length]).toEqual([3, 3]);
  });
});

test('403 partner_only', async () => {
  const input = { params: { endpointId: endpoint.id }, body: { event_type: 'scan.completed' } };
  const response = await webhooks.call(createSubscription, input);
  expect(response.refusal).toMatchObject({ status: 403, code: 'partner_only' });
});

// Last: the catalog stub is closed afterwards.
test('503 api_unavailable: an unknown brand while catalog is unavailable', async () => {
  await webhooks.connection.close();
  const response = await subscribe({ event_type: 'scan.completed', brand_id: randomUUID() });
  expect(response.refusal).toMatchObject({ status: 503, code: 'api_unavailable' });
  expect(response.headers.get('retry-after')).toBe('5');
});
