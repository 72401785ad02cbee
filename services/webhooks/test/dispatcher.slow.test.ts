import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Delivery } from '@bv/contract';
import {
  eventually,
  type Receiver,
  type ReceiverHandler,
  serviceEnvironment,
  startReceiver,
} from '@bv/testkit';
import {
  activeEndpoint,
  closeAfterAll,
  publishScan,
  readDeliveries,
  waitForDeliveries,
  waitForDelivery,
} from './harness.ts';
import { startWebhooks, testSettings, type Webhooks } from './start-webhooks.ts';

const leaseMs = 5_000;
const dispatcherSettings = {
  WEBHOOKS_TOTAL_TIMEOUT_MS: '4000',
  WEBHOOKS_LEASE_MS: String(leaseMs),
  WEBHOOKS_SCHEDULE_MS: '0,100,100,100,100,100,100,100,100,100',
  WEBHOOKS_JITTER_PERCENT: '0',
};
/** Longer than a test may take: no attempt times out. */
const longAttempts = { WEBHOOKS_TOTAL_TIMEOUT_MS: '300000', WEBHOOKS_LEASE_MS: '600000' };

const openReceiver = async (handler: ReceiverHandler): Promise<Receiver> =>
  closeAfterAll(await startReceiver(handler));

type DispatcherProcess = {
  send(signal: NodeJS.Signals): void;
  /** Waits until the process has logged this text. */
  logged(text: string): Promise<void>;
  /** Ends the process and returns its exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
};

const processes = new Set<DispatcherProcess>();
let survivor: Awaited<ReturnType<Webhooks['startReplica']>> | undefined;

/** Starts a dispatcher in this process, which completes what the other one has begun. */
async function startSurvivor(webhooks: Webhooks, env: Record<string, string> = {}): Promise<void> {
  survivor = await webhooks.startReplica({
    env: { ...testSettings, ...dispatcherSettings, ROLE: 'dispatcher', ...env },
  });
}

/** Starts a dispatcher in its own process. */
async function startDispatcherProcess(
  webhooks: Webhooks,
  env: Record<string, string> = {},
): Promise<DispatcherProcess> {
  const script = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const child = spawn(process.execPath, ['--conditions=@bv/source', script], {
    env: {
      ...process.env,
      ...serviceEnvironment({ databaseUrl: webhooks.database.url, natsUrl: webhooks.nats.url }),
      ...testSettings,
      ...dispatcherSettings,
      ROLE: 'dispatcher',
      LOG_LEVEL: 'info',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let log = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (log += text));
  const dispatcher: DispatcherProcess = {
    send: (signal) => void child.kill(signal),
    logged: async (text) => {
      while (!log.includes(text)) await once(child.stdout, 'data');
    },
    end: async (signal = 'SIGKILL') => {
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
      processes.delete(dispatcher);
      return child.exitCode;
    },
  };
  processes.add(dispatcher);
  await dispatcher.logged('"msg":"ready"');
  return dispatcher;
}

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
  afterEach(async () => {
    await Promise.all([...processes].map((each) => each.end()));
    await survivor?.stop();
  });
  afterAll(() => webhooks.stop());

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
    await first.end();
    await startSurvivor(webhooks);
    const done = await waitForDelivery(webhooks, endpoint, ({ status }) => status === 'succeeded');
    expect(done).toMatchObject({ attempts: 2, last_status_code: 200 });
    const attempts = await readAttempts(webhooks, done.id);
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['unknown', 'succeeded']);
    // The second attempt started only after the lease of the first had expired.
    expect(Date.parse(attempts[1].started_at) - Date.parse(attempts[0].started_at)).toBeGreaterThanOrEqual(
      leaseMs,
    );
    expect(receiver.requests.filter(({ body }) => body.includes(scan.job_id))).toHaveLength(2);
  });

  test('frozen beyond its lease: its late outcome is dropped', async () => {
    const secondResponse = Promise.withResolvers<number>();
    let eventRequests = 0;
    const receiver = await openReceiver(({ body }) => {
      if (isPing(body)) return 200;
      eventRequests += 1;
      return eventRequests === 1 ? undefined : secondResponse.promise;
    });
    const first = await startDispatcherProcess(webhooks);
    const endpoint = await activeEndpoint(webhooks, receiver.url);
    const scan = await publishScan(webhooks, { orgId: endpoint.orgId });
    await receiver.waitFor(({ body }) => body.includes(scan.job_id));
    first.send('SIGSTOP');
    await startSurvivor(webhooks, longAttempts);
    await eventually(() => expect(eventRequests).toBe(2), { intervalMs: 10 });
    first.send('SIGCONT');
    await first.logged('outcome dropped: the lease had expired');
    secondResponse.resolve(200);
    const done = await waitForDelivery(webhooks, endpoint, ({ status }) => status !== 'delivering');
    expect(done).toMatchObject({ status: 'succeeded', attempts: 2, last_error: null });
    expect((await readAttempts(webhooks, done.id)).map(({ outcome }) => outcome)).toEqual([
      'unknown',
      'succeeded',
    ]);
  });

  test('a dispatcher completes its attempts before it stops', async () => {
    const response = Promise.withResolvers<number>();
    const receiver = await openReceiver(({ body }) => (isPing(body) ? 200 : response.promise));
    const dispatcher = await startDispatcherProcess(webhooks, {
      ...longAttempts,
      WEBHOOKS_STOP_GRACE_MS: '60000',
    });
    const endpoint = await activeEndpoint(webhooks, receiver.url);
    const scan = await publishScan(webhooks, { orgId: endpoint.orgId });
    await receiver.waitFor(({ body }) => body.includes(scan.job_id));
    const exitCode = dispatcher.end('SIGTERM');
    await dispatcher.logged('"msg":"stopping"');
    response.resolve(200);
    expect(await exitCode).toBe(0);
    const [done] = await readDeliveries(webhooks, endpoint);
    expect(done).toMatchObject({ status: 'succeeded', attempts: 1 });
  });

  test('an attempt longer than the default stop grace is aborted and due again at once, in the time for a stop', async () => {
    const receiver = await openReceiver(({ body }) => (isPing(body) ? 200 : undefined));
    const dispatcher = await startDispatcherProcess(webhooks, {
      ...longAttempts,
      WEBHOOKS_STOP_GRACE_MS: '6000',
    });
    const endpoint = await activeEndpoint(webhooks, receiver.url);
    const scan = await publishScan(webhooks, { orgId: endpoint.orgId });
    await receiver.waitFor(({ body }) => body.includes(scan.job_id));
    expect(await dispatcher.end('SIGTERM')).toBe(0);
    const [aborted] = await readDeliveries(webhooks, endpoint);
    expect(aborted).toMatchObject({ status: 'pending', attempts: 1, last_error: null });
    expect(await readAttempts(webhooks, aborted!.id)).toEqual([
      expect.objectContaining({ outcome: 'unknown' }),
    ]);
  });

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
    const [rounds, scansPerRound] = [2, 5];
    for (let round = 0; round < rounds; round += 1) {
      const before = count;
      for (const { orgId } of endpoints) {
        for (let index = 0; index < scansPerRound; index += 1) await publishScan(webhooks, { orgId });
      }
      await eventually(() => expect(count).toBeGreaterThan(before), { intervalMs: 5 });
      await first.end();
      [first, second] = [second, await startDispatcherProcess(webhooks)];
    }
    const isDone = (found: Delivery[]): boolean =>
      found.length === rounds * scansPerRound && found.every(({ status }) => status === 'succeeded');
    for (const endpoint of endpoints) {
      const deliveries = await waitForDeliveries(webhooks, endpoint, isDone, { timeoutMs: 60_000 });
      for (const { id, attempts } of deliveries) {
        const logged = await readAttempts(webhooks, id);
        expect(logged).toHaveLength(attempts);
        expect(attempts).toBeLessThanOrEqual(10);
        for (const [index, next] of logged.slice(1).entries()) {
          expect(Date.parse(next.started_at)).toBeGreaterThanOrEqual(Date.parse(logged[index].finished_at));
        }
      }
    }
  });
});
