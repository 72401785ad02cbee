import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { platformIds } from '@bv/contract';
import type { ScanPlan } from '@bv/events';
import { migrate, provision } from '@bv/postgres';
import { eventually, makeReadOnly, startPostgres, type TestServer } from '@bv/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { getScan, type Harness, planData, requestScan, startReplica, startScans } from './harness.ts';

const migrations = fileURLToPath(new URL('../migrations', import.meta.url));

let postgres: TestServer;
let adminUrl: string;
let harness: Harness;
let replica: Awaited<ReturnType<typeof startReplica>>;

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
  replica = await startReplica(harness.stores, { env: { UNIT_LEASE_MS: '2000' } });
  for (const platform of platformIds) {
    const trouble = { platform, kind: 'slow', delayMs: 100 };
    const control = `${harness.stores.simulator.url}/control/trouble`;
    await fetch(control, { method: 'PUT', body: JSON.stringify(trouble) });
  }
}, 60_000);

afterAll(async () => {
  await replica.stop();
  await harness.stop();
  await postgres.stop();
});

const ready = async () => (await fetch(`http://127.0.0.1:${replica.monitoringPort}/readyz`)).status;

async function requestLargeScan(): Promise<{ plan: ScanPlan; jobId: string }> {
  const plan = harness.know(planData({ prompts: 60 }));
  const { status, body } = await requestScan(replica.base, plan);
  expect(status).toBe(202);
  return { plan, jobId: body.data.job_id };
}

async function untilDone(plan: ScanPlan, jobId: string, atLeast: number): Promise<void> {
  await eventually(
    async () => {
      const { status, body } = await getScan(replica.base, plan, jobId);
      expect(status).toBe(200);
      expect(body.data.units.answered + body.data.units.no_answer).toBeGreaterThanOrEqual(atLeast);
    },
    { timeoutMs: 40_000, intervalMs: 10 },
  );
}

async function expectWhole(plan: ScanPlan, jobId: string): Promise<void> {
  const { body } = await getScan(replica.base, plan, jobId);
  expect(body.data).toMatchObject({ status: 'completed', units: { total: 300, failed: 0 } });
  const [events] = await harness.query<{ units: string; rows: string }>(
    `select count(distinct data->>'unit_id') as units, count(*) as rows
     from (select envelope->'data' as data from outbox where type = 'scans.unit.finalised.v1') as told
     where data->>'job_id' = $1`,
    [jobId],
  );
  expect(events).toEqual({ units: '300', rows: '300' });
}

describe('during a scan', () => {
  test('Postgres killed and back: api_unavailable meanwhile, then the scan ends with every unit once', async () => {
    const { plan, jobId } = await requestLargeScan();
    await untilDone(plan, jobId, 60);
    await postgres.kill();
    const answer = await requestScan(replica.base, plan);
    expect([answer.status, answer.body.error.code, answer.headers.get('retry-after')]).toEqual([
      503,
      'api_unavailable',
      '5',
    ]);
    expect(await ready()).toBe(503);
    await postgres.start();
    await untilDone(plan, jobId, 300);
    await expectWhole(plan, jobId);
    expect(await ready()).toBe(200);
  }, 90_000);

  test('Postgres read-only and writable again: api_unavailable meanwhile, and no paid answer is requested twice', async () => {
    const { plan, jobId } = await requestLargeScan();
    await untilDone(plan, jobId, 60);
    const makeWritable = await makeReadOnly(adminUrl);
    const answer = await requestScan(replica.base, plan);
    expect([answer.status, answer.body.error.code, answer.headers.get('retry-after')]).toEqual([
      503,
      'api_unavailable',
      '5',
    ]);
    expect(await ready()).toBe(503);
    // Longer than a lease, so that every unit in progress could be taken over.
    await sleep(2_500);
    await makeWritable();
    await untilDone(plan, jobId, 300);
    await expectWhole(plan, jobId);
    expect(await ready()).toBe(200);
    expect(
      await harness.query('select platform, attempts from scan_units where job_id = $1 and attempts > 1', [
        jobId,
      ]),
    ).toEqual([]);
  }, 90_000);

  test('NATS killed and back: the scan goes on, and its events go out afterwards', async () => {
    const { plan, jobId } = await requestLargeScan();
    await untilDone(plan, jobId, 60);
    await harness.stores.nats.kill();
    const answer = await requestScan(replica.base, plan);
    expect([answer.status, answer.body.error.code]).toEqual([503, 'api_unavailable']);
    await untilDone(plan, jobId, 300);
    await expectWhole(plan, jobId);
    await harness.stores.nats.start();
    await eventually(
      async () => expect(await harness.query('select id from outbox where sent_at is null')).toEqual([]),
      { timeoutMs: 30_000 },
    );
  }, 90_000);
});
