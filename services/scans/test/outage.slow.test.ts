import { fileURLToPath } from 'node:url';
import type { ScanPlan } from '@bv/events';
import { migrate, provision } from '@bv/postgres';
import { eventually, makeReadOnly, startPostgres, type TestServer } from '@bv/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { planData } from './catalog-stub.ts';
import {
  awaitStatements,
  getScan,
  type Harness,
  type Replica,
  requestScan,
  simulate,
  startScans,
} from './harness.ts';

const migrations = fileURLToPath(new URL('../migrations', import.meta.url));

/** Renewed every 6 s, which is later than workers take over units of others after an outage. */
const leaseMs = 18_000;
const env = { UNIT_LEASE_MS: String(leaseMs), UNIT_TIMEOUT_MS: '60000' };
const slow = { kind: 'slow', delayMs: 100 } as const;

let postgres: TestServer;
let adminUrl: string;
let harness: Harness;
let replica: Replica;

beforeAll(async () => {
  postgres = await startPostgres();
  const services = [{ name: 'scans', password: 'test' }];
  await provision({ adminUrl: postgres.url, database: 'bv', services });
  const url = new URL(postgres.url);
  url.pathname = '/bv';
  adminUrl = url.href;
  Object.assign(url, { username: 'bv_scans', password: 'test' });
  await migrate({ connectionString: url.href, dir: migrations });
  harness = await startScans({
    database: { url: url.href, adminUrl: postgres.url, drop: async () => undefined },
  });
  replica = await harness.startReplica({ env });
  simulate(harness.simulator, slow);
}, 60_000);

afterAll(async () => {
  await replica.stop();
  await harness.stop();
  await postgres.stop();
});

const readinessStatus = async () => (await fetch(`${replica.monitoringUrl}/readyz`)).status;

async function requestLargeScan(prompts = 30): Promise<{ plan: ScanPlan; jobId: string }> {
  const plan = harness.registerPlan(planData({ prompts }));
  const { status, data } = await requestScan(replica, plan);
  expect(status).toBe(202);
  return { plan, jobId: data.job_id };
}

async function waitForUnits(plan: ScanPlan, jobId: string, atLeast: number): Promise<void> {
  await eventually(
    async () => {
      const { status, data } = await getScan(replica, plan, jobId);
      expect(status).toBe(200);
      expect(data.units.answered + data.units.no_answer).toBeGreaterThanOrEqual(atLeast);
    },
    { timeoutMs: 40_000, intervalMs: 10 },
  );
}

async function expectCompleted(plan: ScanPlan, jobId: string, total = 150): Promise<void> {
  const { data } = await getScan(replica, plan, jobId);
  expect(data).toMatchObject({ status: 'completed', units: { total, failed: 0 } });
  const [events] = await harness.query<{ units: string; rows: string }>(
    `select count(distinct data->>'unit_id') as units, count(*) as rows
     from (select envelope->'data' as data from outbox where type = 'scans.unit.finalised.v1') as events
     where data->>'job_id' = $1`,
    [jobId],
  );
  expect(events).toEqual({ units: String(total), rows: String(total) });
}

describe('during a scan', () => {
  test('Postgres killed and back: api_unavailable meanwhile, then the scan ends with every unit once', async () => {
    const { plan, jobId } = await requestLargeScan();
    await waitForUnits(plan, jobId, 30);
    await postgres.kill();
    const answer = await requestScan(replica, plan);
    expect([answer.status, answer.error.code, answer.headers.get('retry-after')]).toEqual([
      503,
      'api_unavailable',
      '5',
    ]);
    expect(await readinessStatus()).toBe(503);
    await postgres.start();
    await waitForUnits(plan, jobId, 150);
    await expectCompleted(plan, jobId);
    expect(await readinessStatus()).toBe(200);
  }, 90_000);

  test('Postgres read-only for longer than a lease: api_unavailable, and no paid answer is requested twice', async () => {
    const { simulator } = harness;
    simulate(simulator, { kind: 'hold' });
    const { plan, jobId } = await requestLargeScan(4);
    const findLeased = () =>
      harness.query('select id from scan_units where job_id = $1 and next_attempt_at > clock_timestamp()', [
        jobId,
      ]);
    await eventually(() => expect(simulator.state.held).toBe(20));
    // The leases end in a second instead of 18.
    await harness.query(
      `update scan_units set next_attempt_at = clock_timestamp() + interval '1 second' where job_id = $1`,
      [jobId],
    );
    const makeWritable = await makeReadOnly(adminUrl);
    const answer = await requestScan(replica, plan);
    expect([answer.status, answer.error.code, answer.headers.get('retry-after')]).toEqual([
      503,
      'api_unavailable',
      '5',
    ]);
    expect(await readinessStatus()).toBe(503);
    await eventually(async () => expect(await findLeased()).toEqual([]));
    await makeWritable();
    // One that has not seen the outage.
    const other = await harness.startReplica({ env });
    try {
      await eventually(async () => expect(await findLeased()).toHaveLength(20));
      // It polls four times a second, and takes over units after 5 s.
      await awaitStatements(other.monitoringUrl, 'scans.list_due_platforms', 24);
      simulate(simulator, slow);
      await waitForUnits(plan, jobId, 20);
      await expectCompleted(plan, jobId, 20);
      expect(await readinessStatus()).toBe(200);
      expect(
        await harness.query('select platform, attempts from scan_units where job_id = $1 and attempts > 1', [
          jobId,
        ]),
      ).toEqual([]);
    } finally {
      await other.stop();
      simulate(simulator, slow);
    }
  }, 120_000);

  test('NATS killed and back: the scan goes on, and its events go out afterwards', async () => {
    const { plan, jobId } = await requestLargeScan();
    await waitForUnits(plan, jobId, 30);
    await harness.nats.kill();
    const answer = await requestScan(replica, plan);
    expect([answer.status, answer.error.code]).toEqual([503, 'api_unavailable']);
    await waitForUnits(plan, jobId, 150);
    await expectCompleted(plan, jobId);
    await harness.nats.start();
    await eventually(
      async () => expect(await harness.query('select id from outbox where sent_at is null')).toEqual([]),
      { timeoutMs: 30_000 },
    );
  }, 90_000);
});
