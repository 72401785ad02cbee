import { randomUUID } from 'node:crypto';
import type { ScanPlan } from '@bv/events';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { leaseUnitsQuery } from '../src/db/units.ts';
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
    `select count(*)::int as units, count(distinct turn)::int as times, (max(turn) - min(turn))::int as span
     from scan_units where job_id = any($1::uuid[])`,
    [ids],
  );
  expect(row).toEqual({ units: 200, times: 200, span: 199 });
});

type PlanNode = {
  'Node Type': string;
  'Index Name'?: string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
};
const listNodes = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(listNodes)];

test('with 200,000 pending units of 400 organisations, leasing reads only the rows it leases', async () => {
  await harness.query(
    `insert into scan_jobs (id, org_id, brand_id, trigger, run_date, idempotency_key, units_total, platforms, countries,
       tracked_brands, brand_as_of, queued_at, charged)
     select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'scheduled', '2026-01-02', $1, 500, '{chatgpt}',
       '{US}', '[]', now(), now(), 'none' from generate_series(1, 400)`,
    [randomUUID()],
  );
  await harness.query(
    `insert into scan_units (job_id, prompt_id, prompt_text, platform, country, turn)
     select id, gen_random_uuid(), 'Which?', 'chatgpt', 'US', turn
       from scan_jobs, generate_series(1, 500) as turn where idempotency_key = $1 and units_total = 500`,
    [
      (
        await harness.query<{ key: string }>(
          `select idempotency_key as key from scan_jobs where units_total = 500 limit 1`,
        )
      )[0]?.key,
    ],
  );
  await harness.query('analyze scan_units');
  const client = new pg.Client({ connectionString: harness.database.url });
  await client.connect();
  try {
    const query = leaseUnitsQuery({
      platform: 'chatgpt',
      limit: 8,
      concurrency: 40,
      leaseMs: 30_000,
      takeOver: true,
      held: [],
      attempted: [],
    });
    await client.query('begin');
    await client.query('set local plan_cache_mode = force_generic_plan');
    await client.query(`prepare lease (text, int, int, float8, boolean, uuid[], uuid[]) as ${query.text}`);
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (analyze, buffers, format json) execute lease ('chatgpt', 8, 40, 30000, true, '{}', '{}')`,
    );
    const plan = rows[0]?.['QUERY PLAN'][0].Plan;
    if (plan === undefined) throw new Error('no plan');
    const nodes = listNodes(plan);
    expect(new Set(nodes.flatMap((node) => node['Index Name'] ?? []))).toEqual(
      new Set(['scan_units_pending', 'scan_units_pkey', 'scan_units_running']),
    );
    const types = nodes.map((node) => node['Node Type']);
    expect(types).not.toContain('Seq Scan');
    expect(types).not.toContain('Sort');
    expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(600);
    await client.query('rollback');
  } finally {
    await client.end();
  }
}, 300_000);
