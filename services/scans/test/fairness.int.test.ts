import type { ScanPlan } from '@bv/events';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { planData } from './catalog-stub.ts';
import { awaitJob, type Harness, queueScan, type Replica, startScans } from './harness.ts';

let harness: Harness;
let idle: Replica;

beforeAll(async () => {
  harness = await startScans();
  idle = await harness.startReplica({ env: { WORKER_CONCURRENCY: '0' } });
});

afterAll(async () => {
  await idle.stop();
  await harness.stop();
});

afterEach(() => harness.query('delete from scan_units'));

/** Plans of `brands` brands of one organisation. */
function createPlans(brands: number, prompts: number): ScanPlan[] {
  const first = planData({ prompts, manualScans: null });
  return Array.from({ length: brands }, () => {
    const plan = planData({ prompts, platforms: ['chatgpt'], brand: { org_id: first.org.id } });
    return harness.registerPlan({ ...plan, org: first.org });
  });
}

test('an organisation with twenty scans is served no more often than one with a single scan', async () => {
  const busyIds: string[] = [];
  for (const plan of createPlans(20, 15)) busyIds.push(await queueScan(idle, plan));
  const [small] = createPlans(1, 15);
  if (small === undefined) throw new Error('no plan');
  const smallId = await queueScan(idle, small);
  const worker = await harness.startReplica({
    env: { CHATGPT_CONCURRENCY: '2', WORKER_CONCURRENCY: '2' },
  });
  try {
    expect((await awaitJob(idle, small, smallId)).status).toBe('completed');
    const [row] = await harness.query<{ served: number }>(
      `select count(*)::int as served from scan_units where job_id = any($1::uuid[])
         and finalized_at <= (select max(finalized_at) from scan_units where job_id = $2)`,
      [busyIds, smallId],
    );
    // Fifteen units of each organisation and those in flight; with a fair queue over jobs it would be all 300.
    expect(row?.served).toBeLessThan(30);
  } finally {
    await worker.stop();
  }
}, 60_000);

test('scans of an organisation that are queued at once get distinct, consecutive virtual times', async () => {
  const ids = await Promise.all(createPlans(10, 20).map((plan) => queueScan(idle, plan)));
  const [row] = await harness.query<{ units: number; times: number; span: number }>(
    `select count(*)::int as units, count(distinct virtual_time)::int as times,
       (max(virtual_time) - min(virtual_time))::int as span
     from scan_units where job_id = any($1::uuid[])`,
    [ids],
  );
  expect(row).toEqual({ units: 200, times: 200, span: 199 });
});
