import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { eventually, type Receiver, type ReceiverHandler, startReceiver, retryIfStalled } from '@bv/testkit';
import { activeEndpoint, closeAfterAll, waitForDelivery, publishScan, readDeliveries } from './harness.ts';
import { startWebhooks, testEnvironment, type Webhooks } from './start-webhooks.ts';

const leaseMs = 5_000;
const dispatcherSettings = {
  WEBHOOKS_TOTAL_TIMEOUT_MS: '4000',
  WEBHOOKS_LEASE_MS: String(leaseMs),
  WEBHOOKS_SCHEDULE_MS: '0,100,100,100,100,100,100,100,100,100',
  WEBHOOKS_JITTER_PERCENT: '0',
};

const openReceiver = async (handler: ReceiverHandler): Promise<Receiver> =>
  closeAfterAll(await startReceiver(handler));

const children = new Set<ChildProcess>();

/** Starts a dispatcher in its own process. */
async function startDispatcherProcess(
  webhooks: Webhooks,
  env: Record<string, string> = {},
): Promise<ChildProcess> {
  const script = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const child = spawn(process.execPath, ['--conditions=@bv/source', script], {
    env: {
      ...process.env,
      ...testEnvironment(webhooks.database.url, webhooks.nats.url),
      ...dispatcherSettings,
      ROLE: 'dispatcher',
      LOG_LEVEL: 'info',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (lines: Buffer) => {
      if (lines.includes('"msg":"ready"')) resolve();
    });
  });
  return child;
}

async function kill(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
  children.delete(child);
}

const killAll = () => Promise.all([...children].map((child) => kill(child)));

/** Runs a timing-sensitive test with only its own dispatchers, and again if the event loop stalled. */
const withOwnDispatchers = (run: () => Promise<void>) => (): Promise<void> =>
  retryIfStalled(
    async () => {
      await killAll();
      await run();
    },
    { stallMs: 200 },
  );

async function readAttempts(webhooks: Webhooks, deliveryId: string) {
  const { rows } = await webhooks.pool.query(
    'select number, outcome, started_at, finished_at from attempts where delivery_id = $1 order by number',
    [deliveryId],
  );
  return rows;
}

const isPing = (body: string): boolean => body.includes('endpoint.ping');

describe('dispatchers in their own processes', () => {
  let webhooks: Webhooks;
  beforeAll(async () => {
    webhooks = await startWebhooks({ ...dispatcherSettings, ROLE: 'api' });
  });
  afterAll(async () => {
    await killAll();
    await webhooks.stop();
  });

  test('killed during an attempt: the outcome is unknown, another dispatcher retries', async () => {
    let hang = true;
    const receiver = await openReceiver(({ body }) => {
      if (isPing(body) || !hang) return 200;
      hang = false;
      return undefined;
    });
    const first = await startDispatcherProcess(webhooks);
    const endpoint = await activeEndpoint(webhooks, receiver.url);
    const scan = await publishScan(webhooks, { orgId: endpoint.orgId });
    await receiver.waitFor(({ body }) => body.includes(scan.job_id));
    const [leased] = await readDeliveries(webhooks, endpoint);
    expect(leased).toMatchObject({ status: 'delivering', attempts: 1, next_attempt_at: null });
    await kill(first);
    const second = await startDispatcherProcess(webhooks);
    const done = await waitForDelivery(webhooks, endpoint, ({ status }) => status === 'succeeded');
    expect(done).toMatchObject({ attempts: 2, last_status_code: 200 });
    const attempts = await readAttempts(webhooks, done.id);
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['unknown', 'succeeded']);
    // The second attempt started only after the lease of the first had expired.
    expect(Date.parse(attempts[1].started_at) - Date.parse(attempts[0].started_at)).toBeGreaterThanOrEqual(
      leaseMs,
    );
    expect(receiver.requests.filter(({ body }) => body.includes(scan.job_id))).toHaveLength(2);
    await kill(second, 'SIGTERM');
  });

  test(
    'frozen beyond its lease: its late outcome is dropped',
    withOwnDispatchers(async () => {
      let eventRequests = 0;
      const receiver = await openReceiver(({ body }) => {
        if (isPing(body)) return 200;
        eventRequests += 1;
        return eventRequests === 1 ? undefined : new Promise((resolve) => setTimeout(resolve, 600, 200));
      });
      const first = await startDispatcherProcess(webhooks);
      const endpoint = await activeEndpoint(webhooks, receiver.url);
      const scan = await publishScan(webhooks, { orgId: endpoint.orgId });
      await receiver.waitFor(({ body }) => body.includes(scan.job_id));
      first.kill('SIGSTOP');
      const second = await startDispatcherProcess(webhooks);
      await eventually(() => expect(eventRequests).toBe(2), { intervalMs: 10 });
      first.kill('SIGCONT');
      const done = await waitForDelivery(webhooks, endpoint, ({ status }) => status !== 'delivering');
      expect(done).toMatchObject({ status: 'succeeded', attempts: 2, last_error: null });
      expect((await readAttempts(webhooks, done.id)).map(({ outcome }) => outcome)).toEqual([
        'unknown',
        'succeeded',
      ]);
      await Promise.all([kill(first), kill(second)]);
    }),
    240_000,
  );

  test(
    'a dispatcher completes its attempts before it stops',
    withOwnDispatchers(async () => {
      const receiver = await openReceiver(({ body }) =>
        isPing(body) ? 200 : new Promise((resolve) => setTimeout(resolve, 300, 200)),
      );
      const child = await startDispatcherProcess(webhooks, { WEBHOOKS_STOP_GRACE_MS: '6000' });
      const endpoint = await activeEndpoint(webhooks, receiver.url);
      const scan = await publishScan(webhooks, { orgId: endpoint.orgId });
      await receiver.waitFor(({ body }) => body.includes(scan.job_id));
      await kill(child, 'SIGTERM');
      expect(child.exitCode).toBe(0);
      const [done] = await readDeliveries(webhooks, endpoint);
      expect(done).toMatchObject({ status: 'succeeded', attempts: 1 });
    }),
    240_000,
  );

  test(
    'an attempt longer than the stop grace is aborted and due again at once',
    withOwnDispatchers(async () => {
      const receiver = await openReceiver(({ body }) => (isPing(body) ? 200 : undefined));
      const child = await startDispatcherProcess(webhooks, { WEBHOOKS_STOP_GRACE_MS: '50' });
      const endpoint = await activeEndpoint(webhooks, receiver.url);
      const scan = await publishScan(webhooks, { orgId: endpoint.orgId });
      await receiver.waitFor(({ body }) => body.includes(scan.job_id));
      await kill(child, 'SIGTERM');
      const [aborted] = await readDeliveries(webhooks, endpoint);
      expect(aborted).toMatchObject({ status: 'pending', attempts: 1, last_error: null });
      expect(await readAttempts(webhooks, aborted.id)).toEqual([
        expect.objectContaining({ outcome: 'unknown' }),
      ]);
    }),
    240_000,
  );

  test('repeatedly killed dispatchers: every event arrives in at most ten attempts that do not overlap', async () => {
    const statuses = [200, 200, 500, 200, 200, 200, 429, 200];
    let count = 0;
    const receiver = await openReceiver(async ({ body }) => {
      if (isPing(body)) return 200;
      await new Promise((resolve) => setTimeout(resolve, 20));
      return statuses[(count += 1) % statuses.length];
    });
    let [first, second] = await Promise.all([
      startDispatcherProcess(webhooks),
      startDispatcherProcess(webhooks),
    ]);
    const endpoints = await Promise.all([1, 2, 3].map(() => activeEndpoint(webhooks, receiver.url)));
    const scans = 15;
    for (const { orgId } of endpoints) {
      for (let index = 0; index < scans; index += 1) await publishScan(webhooks, { orgId });
    }
    for (let round = 0; round < 3; round += 1) {
      await new Promise((resolve) => setTimeout(resolve, 400));
      await kill(first);
      [first, second] = [second, await startDispatcherProcess(webhooks)];
    }
    for (const endpoint of endpoints) {
      const deliveries = await eventually(
        async () => {
          const found = await readDeliveries(webhooks, endpoint);
          expect(found.map(({ status }) => status)).toEqual(Array.from({ length: scans }, () => 'succeeded'));
          return found;
        },
        { timeoutMs: 60_000 },
      );
      for (const { id, attempts } of deliveries) {
        const logged = await readAttempts(webhooks, id);
        expect(logged).toHaveLength(attempts);
        expect(attempts).toBeLessThanOrEqual(10);
        for (const [index, each] of logged.entries()) {
          if (index > 0)
            expect(Date.parse(each.started_at)).toBeGreaterThanOrEqual(
              Date.parse(logged[index - 1].finished_at),
            );
        }
      }
    }
    await Promise.all([kill(first), kill(second)]);
  });
});

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
  let down = true;
  const receiver = await openReceiver(({ body }) => (down && !isPing(body) ? 500 : 200));
  const webhooks = await startWebhooks({
    WEBHOOKS_BREAKER_FAILURES: '3',
    WEBHOOKS_BREAKER_OPEN_MS: '5000',
    WEBHOOKS_PER_ENDPOINT: '1',
    WEBHOOKS_SCHEDULE_MS: '0,100,100,100,100,100',
    WEBHOOKS_JITTER_PERCENT: '0',
  });
  closeAfterAll({ close: webhooks.stop });
  const endpoint = await activeEndpoint(webhooks, receiver.url);
  for (let index = 0; index < 6; index += 1) await publishScan(webhooks, { orgId: endpoint.orgId });
  await eventually(async () => {
    const found = await readDeliveries(webhooks, endpoint);
    expect(found.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(3);
    expect(found.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 'pending'));
  });
  await new Promise((resolve) => setTimeout(resolve, 400));
  const waiting = await readDeliveries(webhooks, endpoint);
  expect(waiting).toHaveLength(6);
  expect(waiting.every(({ status }) => status === 'pending')).toBe(true);
  expect(waiting.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(3);
  down = false;
  await eventually(async () => {
    const statuses = (await readDeliveries(webhooks, endpoint)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set(['succeeded']));
  });
  const [, , third, fourth] = receiver.requests.filter(({ body }) => !isPing(body));
  expect((fourth?.receivedAt ?? 0) - (third?.receivedAt ?? 0)).toBeGreaterThanOrEqual(5_000);
});
