import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type Delivery } from '@bv/contract';
import { eventually, type Receiver, type ReceiverHandler, startReceiver } from '@bv/testkit';
import {
  activeEndpoint,
  closeAfterAll,
  createClock,
  makeDue,
  publishScan,
  readDeliveries,
  waitForDeliveries,
  waitUntilPostponed,
} from './harness.ts';
import { startWebhooks, type Webhooks } from './start-webhooks.ts';

const openReceiver = async (handler: ReceiverHandler): Promise<Receiver> =>
  closeAfterAll(await startReceiver(handler));

const isPing = (body: string): boolean => body.includes('endpoint.ping');

describe('one process', () => {
  let webhooks: Webhooks;
  let fast: Receiver;
  let hanging: Receiver;
  beforeAll(async () => {
    [webhooks, fast, hanging] = await Promise.all([
      startWebhooks({
        // Longer than the test may take.
        WEBHOOKS_TOTAL_TIMEOUT_MS: '300000',
        WEBHOOKS_LEASE_MS: '600000',
        WEBHOOKS_STOP_GRACE_MS: '100',
        WEBHOOKS_BREAKER_FAILURES: '1000',
        WEBHOOKS_PER_PROCESS: '40',
      }),
      startReceiver(),
      startReceiver(({ body }) => (isPing(body) ? 200 : undefined)),
    ]);
  });
  afterAll(async () => {
    await Promise.all([webhooks.stop(), fast.close(), hanging.close()]);
  });

  test('one hanging receiver of a hundred has at most ten attempts and does not delay others', async () => {
    const slow = await activeEndpoint(webhooks, hanging.url);
    const orgId = randomUUID();
    for (let group = 0; group < 9; group += 1) {
      await Promise.all(Array.from({ length: 11 }, () => linkedEndpoint(orgId)));
    }
    for (let index = 0; index < 60; index += 1) await publishScan(webhooks, { orgId: slow.orgId });
    await eventually(async () => expect(await readDeliveries(webhooks, slow)).toHaveLength(60));
    for (let scan = 1; scan <= 5; scan += 1) {
      await publishScan(webhooks, { orgId });
      await eventually(async () => expect(await succeeded(orgId)).toBe(scan * 99), { timeoutMs: 30_000 });
    }
    // None of the hanging attempts had to end for the others.
    const deliveries = await readDeliveries(webhooks, slow);
    expect(deliveries.map(({ last_error }) => last_error)).toEqual(Array.from({ length: 60 }, () => null));
    const running = deliveries.filter(({ status }) => status === 'delivering');
    expect(running.length).toBeLessThanOrEqual(10);
    expect(running.length).toBeGreaterThan(0);
  }, 180_000);

  /** Creates an endpoint of a new partner that is linked to this organisation. */
  async function linkedEndpoint(orgId: string): Promise<void> {
    const { partnerId } = await webhooks.newPartner();
    await webhooks.pool.query(
      'insert into links (partner_id, org_id, active, version) values ($1, $2, true, 1)',
      [partnerId, orgId],
    );
    await activeEndpoint(webhooks, fast.url, { partnerId, orgId });
  }

  async function succeeded(orgId: string): Promise<number> {
    const { rows } = await webhooks.pool.query(
      `select count(*)::int as count from deliveries where org_id = $1 and status = 'succeeded'`,
      [orgId],
    );
    return rows[0].count;
  }
});

test('the circuit breaker delays deliveries without attempts until the receiver is back', async () => {
  let isDown = true;
  const clock = createClock();
  const openMs = 600_000;
  const receiver = await openReceiver(({ body }) => (isDown && !isPing(body) ? 500 : 200));
  const settings = {
    WEBHOOKS_BREAKER_FAILURES: '3',
    WEBHOOKS_BREAKER_OPEN_MS: String(openMs),
    WEBHOOKS_PER_ENDPOINT: '1',
    WEBHOOKS_SCHEDULE_MS: '0,100,100,100,100,100',
    WEBHOOKS_JITTER_PERCENT: '0',
  };
  const webhooks = await startWebhooks(settings, { now: clock.now });
  closeAfterAll({ close: webhooks.stop });
  const endpoint = await activeEndpoint(webhooks, receiver.url);
  for (let index = 0; index < 6; index += 1) await publishScan(webhooks, { orgId: endpoint.orgId });
  const countAttempts = (found: Delivery[]): number => found.reduce((sum, { attempts }) => sum + attempts, 0);
  const isPending = (found: Delivery[]): boolean =>
    found.length === 6 && found.every(({ status }) => status === 'pending');
  const hasOpened = async (): Promise<void> => {
    const text = 'select from endpoints where id = $1 and breaker_level > 0';
    expect((await webhooks.pool.query(text, [endpoint.id])).rowCount).toBe(1);
  };
  await eventually(hasOpened, { timeoutMs: 30_000 });
  // Three, and those whose outcome a slow machine has lost with their lease.
  const attempts = countAttempts(await waitForDeliveries(webhooks, endpoint, isPending));
  expect(attempts).toBeGreaterThanOrEqual(3);
  await makeDue(webhooks, endpoint);
  await waitUntilPostponed(webhooks, endpoint);
  const waiting = await readDeliveries(webhooks, endpoint);
  expect([isPending(waiting), countAttempts(waiting)]).toEqual([true, attempts]);
  isDown = false;
  clock.advance(openMs);
  await waitForDeliveries(webhooks, endpoint, (found) => found.every(({ status }) => status === 'succeeded'));
  expect(receiver.requests.filter(({ body }) => !isPing(body))).toHaveLength(attempts + 6);
});
