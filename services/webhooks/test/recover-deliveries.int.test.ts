import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { operatorDisableEndpoint, recoverDeliveries, testWebhookEndpoint } from '@bv/contract';
import { type Receiver, startReceiver } from '@bv/testkit';
import {
  activeEndpoint,
  type Endpoint,
  readDeliveries,
  waitForDeliveries,
  waitForStatus,
} from './harness.ts';
import { startWebhooks, type Webhooks } from './start-webhooks.ts';

const dayMs = 86_400_000;
const daysAgo = (days: number): string => new Date(Date.now() - days * dayMs).toISOString();

let webhooks: Webhooks;
let receiver: Receiver;
beforeAll(async () => {
  [webhooks, receiver] = await Promise.all([startWebhooks(), startReceiver(() => 200)]);
});
afterAll(async () => {
  await Promise.all([webhooks.stop(), receiver.close()]);
});

const recover = (
  endpoint: Endpoint,
  since = daysAgo(1),
  {
    operationId = randomUUID(),
    partnerId = endpoint.partnerId,
  }: { operationId?: string; partnerId?: string } = {},
) =>
  webhooks.as(partnerId, recoverDeliveries, {
    params: { endpointId: endpoint.id },
    body: { since },
    caller: { operationId },
  });

type Stored = { count: number; createdAt?: string; status?: string; isPing?: boolean; orgId?: string };

/** Stores deliveries as if they had ended earlier. */
async function storeDeliveries(endpoint: Endpoint, stored: Stored): Promise<void> {
  const { count, createdAt = daysAgo(0.5), status = 'dead', isPing = false, orgId = endpoint.orgId } = stored;
  await webhooks.pool.query(
    `with event as (
       insert into events (id, partner_id, org_id, type, dedupe_key, body, created_at)
       select gen_random_uuid(), $1, $2, 'scan.completed', gen_random_uuid()::text, '{}', $3
       from generate_series(1, $4) returning id)
     insert into deliveries (id, event_id, endpoint_id, partner_id, org_id, event_type, is_ping, status, attempts,
       schedule_attempts, next_attempt_at, created_at, updated_at)
     select gen_random_uuid(), id, $5, $1, $2, 'scan.completed', $6, $7, 12, 12,
       case when $7 = 'pending' then 'infinity'::timestamptz end, $3, $3 from event`,
    [endpoint.partnerId, orgId, createdAt, count, endpoint.id, isPing, status],
  );
}

const requestsOf = async (endpoint: Endpoint) => {
  const ids = new Set((await readDeliveries(webhooks, endpoint)).map(({ event_id }) => event_id));
  return receiver.requests.filter(({ headers }) => ids.has(String(headers['webhook-id'])));
};

describe('202', () => {
  test('dead deliveries since a time are sent once; older, other and pings stay', async () => {
    const endpoint = await activeEndpoint(webhooks, receiver.url);
    const since = daysAgo(2);
    await storeDeliveries(endpoint, { count: 3 });
    await storeDeliveries(endpoint, { count: 1, createdAt: since });
    await storeDeliveries(endpoint, { count: 2, createdAt: daysAgo(2.01) });
    await storeDeliveries(endpoint, { count: 2, isPing: true });
    await storeDeliveries(endpoint, { count: 2, status: 'succeeded' });
    const { status, data } = await recover(endpoint, since);
    expect([status, data]).toEqual([202, { replayed: 4 }]);
    const done = await waitForDeliveries(webhooks, endpoint, (all) =>
      all.every((delivery) => delivery.status !== 'pending' && delivery.status !== 'delivering'),
    );
    const count = (state: string, attempts: number): number =>
      done.filter((delivery) => delivery.status === state && delivery.attempts === attempts).length;
    expect([count('succeeded', 13), count('succeeded', 12), count('dead', 12)]).toEqual([4, 2, 4]);
    expect(await requestsOf(endpoint)).toHaveLength(4);
    expect((await recover(endpoint, since)).data).toEqual({ replayed: 0 });
  });

  test('a retry of the operation gets the same response', async () => {
    const endpoint = await activeEndpoint(webhooks, receiver.url);
    await storeDeliveries(endpoint, { count: 2 });
    const operationId = randomUUID();
    const since = daysAgo(1);
    const first = await recover(endpoint, since, { operationId });
    await storeDeliveries(endpoint, { count: 1 });
    const second = await recover(endpoint, since, { operationId });
    expect(second.body).toEqual(first.body);
    expect(second.data).toEqual({ replayed: 2 });
  });

  test('parallel requests share the deliveries: each is queued once', async () => {
    const endpoint = await activeEndpoint(webhooks, receiver.url);
    await storeDeliveries(endpoint, { count: 2_500 });
    await webhooks.pool.query(`update endpoints set status = 'failing' where id = $1`, [endpoint.id]);
    const responses = await Promise.all(Array.from({ length: 4 }, () => recover(endpoint)));
    const counts = responses.map(({ data }) => data.replayed);
    expect(counts.reduce((sum, each) => sum + each, 0)).toBe(2_500);
  });

  test('for a failing or unverified endpoint they wait until a ping succeeds', async () => {
    const endpoint = await activeEndpoint(webhooks, receiver.url);
    await storeDeliveries(endpoint, { count: 2 });
    for (const status of ['failing', 'pending_verification']) {
      await webhooks.pool.query('update endpoints set status = $2 where id = $1', [endpoint.id, status]);
      expect((await recover(endpoint)).data.replayed).toBe(status === 'failing' ? 2 : 0);
      const all = await readDeliveries(webhooks, endpoint);
      expect(all.map((delivery) => delivery.status)).toEqual(['pending', 'pending']);
    }
    const params = { endpointId: endpoint.id };

    await webhooks.as(endpoint.partnerId, testWebhookEndpoint, { params });
    await waitForStatus(webhooks, endpoint, 'active');
    await waitForDeliveries(webhooks, endpoint, (all) => all.every(({ status }) => status === 'succeeded'));
  });

  test('organisations that are no longer linked are left out', async () => {
    const endpoint = await activeEndpoint(webhooks, receiver.url);
    const revoked = randomUUID();
    await webhooks.setLink(endpoint.partnerId, revoked);
    await storeDeliveries(endpoint, { count: 2, orgId: revoked });
    await storeDeliveries(endpoint, { count: 1 });
    await webhooks.setLink(endpoint.partnerId, revoked, false);
    expect((await recover(endpoint)).data).toEqual({ replayed: 1 });
    await webhooks.setLink(endpoint.partnerId, revoked, true);
    expect((await recover(endpoint)).data).toEqual({ replayed: 2 });
  });

  test('100,000 dead deliveries are queued in short transactions', async () => {
    const endpoint = await activeEndpoint(webhooks, receiver.url);
    for (let stored = 0; stored < 100_000; stored += 10_000)
      await storeDeliveries(endpoint, { count: 10_000 });
    await webhooks.pool.query(`update endpoints set status = 'failing' where id = $1`, [endpoint.id]);
    const startedAt = performance.now();
    const recovering = recover(endpoint);
    const locks: number[] = [];
    let isRunning = true;
    const probe = (async () => {
      while (isRunning) {
        const before = performance.now();
        await webhooks.pool.query('select from endpoints where id = $1 for no key update', [endpoint.id]);
        locks.push(performance.now() - before);
      }
    })();
    expect((await recovering).data).toEqual({ replayed: 100_000 });
    isRunning = false;
    await probe;
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    const slowest = Math.max(...locks);
    console.log(
      `100,000 dead deliveries: ${seconds} s, longest wait for the endpoint ${slowest.toFixed(0)} ms`,
    );
    // One transaction would hold the lock for all of it.
    expect(locks.length).toBeGreaterThan(10);
  }, 120_000);
});

describe('refusals', () => {
  test('window_too_wide: more than 30 days ago; 30 days are accepted', async () => {
    const endpoint = await activeEndpoint(webhooks, receiver.url);
    const { refusal } = await recover(endpoint, daysAgo(30.01));
    expect(refusal).toMatchObject({
      status: 400,
      code: 'validation_error',
      details: [{ path: 'since', code: 'window_too_wide' }],
    });
    expect((await recover(endpoint, daysAgo(30))).data).toEqual({ replayed: 0 });
    expect((await recover(endpoint, daysAgo(-1))).data).toEqual({ replayed: 0 });
  });

  test('validation_error: since missing or no time', async () => {
    const { id: endpointId, partnerId } = await activeEndpoint(webhooks, receiver.url);
    for (const body of [{}, { since: '2026-11-20' }]) {
      const { refusal } = await webhooks.as(partnerId, recoverDeliveries, { params: { endpointId }, body });
      expect(refusal).toMatchObject({ status: 400, code: 'validation_error' });
    }
  });

  test('endpoint_disabled, also without dead deliveries', async () => {
    const endpoint = await activeEndpoint(webhooks, receiver.url);
    await webhooks.call(operatorDisableEndpoint, { params: { endpointId: endpoint.id } });
    expect((await recover(endpoint)).refusal).toMatchObject({ status: 409, code: 'endpoint_disabled' });
  });

  test('not_found: unknown, deleted, or of another partner; partner_only', async () => {
    const endpoint = await activeEndpoint(webhooks, receiver.url);
    const others = [
      recover({ ...endpoint, id: randomUUID() }),
      recover(endpoint, daysAgo(1), { partnerId: randomUUID() }),
    ];
    for (const { refusal } of await Promise.all(others)) {
      expect(refusal).toMatchObject({ status: 404, code: 'not_found' });
    }
    const input = { params: { endpointId: endpoint.id }, body: { since: daysAgo(1) } };
    const { refusal } = await webhooks.call(recoverDeliveries, input);
    expect(refusal).toMatchObject({ status: 403, code: 'partner_only' });
  });
});
