import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { testWebhookEndpoint } from '@bv/contract';
import { transaction } from '@bv/postgres';
import { eventually, type Receiver, startReceiver } from '@bv/testkit';
import { createEndpoint } from './harness.ts';
import { startWebhooks, testSettings, type Webhooks } from './start-webhooks.ts';

/** A single partner uses a quarter. */
const slots = 2;
const dispatcherSettings = {
  ...testSettings,
  ROLE: 'dispatcher',
  WEBHOOKS_PER_PROCESS: String(4 * slots),
  // Longer than the test may take.
  WEBHOOKS_TOTAL_TIMEOUT_MS: '300000',
  WEBHOOKS_LEASE_MS: '600000',
  WEBHOOKS_STOP_GRACE_MS: '100',
};
let webhooks: Webhooks;
let dispatcher: { monitoringUrl: string; stop(): Promise<void> };
let receiver: Receiver;
/** Requests that wait for their response. */
let held: ServerResponse[];
beforeEach(async () => {
  held = [];
  receiver = await startReceiver((_request, response) => void held.push(response));
  webhooks = await startWebhooks({ ROLE: 'api' });
  dispatcher = await webhooks.startReplica({ env: dispatcherSettings });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await dispatcher.stop();
  await Promise.all([webhooks.stop(), receiver.close()]);
});

const respond = (): unknown => held.shift()?.writeHead(204).end();

async function count(condition: string): Promise<number> {
  const { rows } = await webhooks.pool.query(
    `select count(*)::int as count from deliveries where ${condition}`,
  );
  return rows[0].count;
}

/**
 * Queues pings, and responds until more of them are leased than were sent. Then none of them gets a response. The clock
 * stands still, so that none has waited too long, however slow the machine is. Returns a function that continues it.
 */
async function prefetch(): Promise<() => void> {
  const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
  const partner = await webhooks.newPartner();
  const { id } = await createEndpoint(webhooks, partner, receiver.url);
  for (let ping = 0; ping < 40; ping += 1) {
    await webhooks.as(partner.partnerId, testWebhookEndpoint, { params: { endpointId: id } });
  }
  await eventually(
    async () => {
      const leased = await count('attempts > 0');
      expect(held).toHaveLength(slots);
      if (leased > receiver.requests.length) return;
      respond();
      throw new Error('none is prefetched yet');
    },
    { intervalMs: 20 },
  );
  return () => clock.mockRestore();
}

test('a prefetched delivery is sent when an attempt of its partner ends, without the database', async () => {
  await prefetch();
  const sent = receiver.requests.length;
  await transaction(webhooks.pool, async (tx) => {
    // Nothing can be leased or stored.
    await tx.query('lock table deliveries, endpoints in access exclusive mode');
    respond();
    await eventually(() => expect(receiver.requests).toHaveLength(sent + 1));
    expect(held).toHaveLength(slots);
  });
}, 60_000);

test('deliveries that wait too long are returned, as if they had not been leased', async () => {
  const continueClock = await prefetch();
  continueClock();
  await eventually(async () => expect(await count('attempts > 0')).toBe(receiver.requests.length));
  expect(held).toHaveLength(slots);
  const hasAttempt = 'exists (select from attempts a where a.delivery_id = deliveries.id)';
  expect(await count(`attempts = 0 and (schedule_attempts > 0 or ${hasAttempt})`)).toBe(0);
  // They are leased again.
  await eventually(async () => {
    respond();
    expect(await count(`status = 'succeeded'`)).toBe(await count('true'));
  });
});

test('deliveries whose return fails are returned when it succeeds', async () => {
  const continueClock = await prefetch();
  const failedReturns =
    /bv_db_query_duration_seconds_count\{(?=[^}]*query="webhooks\.lock_endpoint_states")[^}]*outcome="error"/;
  await transaction(webhooks.pool, async (tx) => {
    // Returns wait for this lock until their statement times out.
    await tx.query('select from endpoints for update');
    continueClock();
    await eventually(
      async () => {
        const metrics = await fetch(`${dispatcher.monitoringUrl}/metrics`);
        expect(failedReturns.test(await metrics.text())).toBe(true);
      },
      { timeoutMs: 40_000 },
    );
  });
  await eventually(async () => expect(await count('attempts > 0')).toBe(receiver.requests.length));
  expect(await count(`status = 'delivering'`)).toBe(slots);
}, 120_000);

test('a dispatcher that stops returns the deliveries it has not sent', async () => {
  await prefetch();
  const sent = receiver.requests.length;
  expect(await count('attempts > 0')).toBeGreaterThan(sent);
  await dispatcher.stop();
  expect(await count('attempts > 0')).toBe(receiver.requests.length);
  expect(await count(`status = 'delivering'`)).toBe(0);
});
