/** Units that are finalised together in one transaction. */
import {
  callRpc,
  findAllowanceRpc,
  jobChanged,
  listAnswersRpc,
  type ScanPlan,
  unitFinalised,
} from '@bv/events';
import { createPool, type Pool } from '@bv/postgres';
import { createMetrics } from '@bv/telemetry';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { FinalUnit, UnitResult } from '../src/commands/persist-outcome.ts';
import { updateLeases, type UnitRow } from '../src/db/units.ts';
import { createUnitFinaliser } from '../src/worker/unit-finaliser.ts';
import { planData } from './catalog-stub.ts';
import { getScan, type Harness, queueScan, type Replica, startScans } from './harness.ts';

let harness: Harness;
let api: Replica;
let pool: Pool;

beforeAll(async () => {
  harness = await startScans();
  api = await harness.startReplica({ env: { WORKER_CONCURRENCY: '0' } });
  const { log, database } = harness;
  pool = createPool({
    connectionString: database.url,
    applicationName: 'scans',
    log,
    metrics: createMetrics('scans'),
  });
});
afterAll(async () => {
  await pool.end();
  await harness.stop();
});

type Leased = { plan: ScanPlan; jobId: string; units: UnitRow[] };

/** Queues a scan and leases its units, as a worker does. */
async function lease(prompts: number): Promise<Leased> {
  const plan = harness.registerPlan(planData({ prompts, platforms: ['chatgpt'] }));
  const jobId = await queueScan(api, plan);
  await harness.query(
    `update scan_jobs set status = 'running', started_at = now(), version = 2 where id = $1`,
    [jobId],
  );
  const units = await harness.query<UnitRow>(
    `update scan_units set status = 'running', fencing_token = 1, attempts = 1,
       next_attempt_at = now() + interval '1 hour'
      where job_id = $1
     returning id, job_id, prompt_id, prompt_text, platform, country, attempts,
       fencing_token::int, virtual_time::int`,
    [jobId],
  );
  return { plan, jobId, units };
}

const answered = ({ plan }: Leased, unit: UnitRow, change: Partial<UnitResult> = {}): FinalUnit => ({
  unit,
  traceparent: undefined,
  outcome: {
    kind: 'answered',
    costUsd: 0.0125,
    latencyMs: 900,
    result: {
      unit_id: unit.id,
      job_id: unit.job_id,
      org_id: plan.org.id,
      brand_id: plan.brand.id,
      prompt_id: unit.prompt_id,
      platform: unit.platform,
      country: unit.country,
      run_date: '2026-01-02',
      outcome: 'answered',
      answer_text: 'Contoso.',
      answer_truncated: false,
      model: 'gpt-5-mini',
      search_used: true,
      localization: 'native',
      search_queries: [],
      brands: [],
      sources: [],
      sources_unresolved: 0,
      sentiment_method: null,
      mention_method: 'words',
      method_version: '1',
      ...change,
    },
  },
});

const failed = (unit: UnitRow): FinalUnit => ({
  unit,
  traceparent: undefined,
  outcome: { kind: 'failed', errorKind: 'unavailable' },
});

async function read({ plan, jobId }: Leased) {
  const events = (await harness.listPublished(unitFinalised)).filter(({ data }) => data.job_id === jobId);
  const jobs = await harness.listPublished(jobChanged, jobId);
  return {
    job: (await getScan(api, plan, jobId)).data,
    published: events.map(({ data }) => data.unit_id).toSorted(),
    states: jobs.map(({ version, data }) => `${version} ${data.status}`),
    unitsByMarket: jobs.at(-1)?.data.units_by_market,
  };
}

const idsOf = (units: readonly UnitRow[]): string[] => units.map(({ id }) => id).toSorted();

test('units of two scans: each has its outcome and one event, and both scans end', async () => {
  const [one, two] = [await lease(3), await lease(2)];
  const finalise = createUnitFinaliser(pool, {});
  const [first, second, third] = one.units;
  if (first === undefined || second === undefined || third === undefined) throw new Error('too few units');
  const noAnswer = { outcome: 'no_answer', answer_text: null } as const;
  const batch = [
    answered(one, first),
    ...two.units.map((unit) => answered(two, unit)),
    answered(one, second, noAnswer),
    failed(third),
  ];
  expect(await Promise.all(batch.map(finalise))).toEqual([true, true, true, true, true]);
  expect(await read(one)).toMatchObject({
    job: { status: 'partial', units: { total: 3, answered: 1, no_answer: 1, failed: 1 } },
    published: idsOf([first, second]),
    states: ['1 queued', '3 partial'],
    unitsByMarket: [{ country: 'US', platform: 'chatgpt', total: 3, failed: 1 }],
  });
  expect(await read(two)).toMatchObject({
    job: { status: 'completed', units: { total: 2, answered: 2, no_answer: 0, failed: 0 } },
    published: idsOf(two.units),
    states: ['1 queued', '3 completed'],
  });
  const rows = await harness.query<{ status: string; cost: number | null; error_kind: string | null }>(
    'select status, cost_usd::float8 as cost, error_kind from scan_units where job_id = $1 order by status',
    [one.jobId],
  );
  expect(rows).toEqual([
    { status: 'answered', cost: 0.0125, error_kind: null },
    { status: 'failed', cost: null, error_kind: 'unavailable' },
    { status: 'no_answer', cost: 0.0125, error_kind: null },
  ]);
  // All five were one transaction.
  const [transactions] = await harness.query<{ count: number }>(
    'select count(distinct xmin::text)::int as count from scan_units where job_id = any($1::uuid[])',
    [[one.jobId, two.jobId]],
  );
  expect(transactions?.count).toBe(1);
});

test('a unit whose lease was lost is unchanged, and the others are finalised', async () => {
  const leased = await lease(3);
  const [lost, ...kept] = leased.units;
  if (lost === undefined) throw new Error('too few units');
  await harness.query('update scan_units set fencing_token = 2 where id = $1', [lost.id]);
  const finalise = createUnitFinaliser(pool, {});
  // The outcome of the lost lease, and that of the worker that holds the unit now.
  const batch = [lost, ...kept, { ...lost, fencing_token: 2 }].map((unit) => answered(leased, unit));
  expect(await Promise.all(batch.slice(0, 3).map(finalise))).toEqual([false, true, true]);
  expect(await read(leased)).toMatchObject({ job: { units: { answered: 2 } }, published: idsOf(kept) });
  expect(await Promise.all([batch[0], batch[3]].flatMap((unit) => unit ?? []).map(finalise))).toEqual([
    false,
    true,
  ]);
  expect(await read(leased)).toMatchObject({
    job: { status: 'completed', units: { answered: 3 } },
    published: idsOf(leased.units),
  });
});

test('a unit that cannot be stored fails alone', async () => {
  const leased = await lease(4);
  const finalise = createUnitFinaliser(pool, {});
  const batch = leased.units.map((unit, index) =>
    answered(leased, unit, index === 1 ? { model: 'not \u0000 storable' } : {}),
  );
  const ends = await Promise.allSettled(batch.map(finalise));
  expect(ends.map((end) => (end.status === 'fulfilled' ? end.value : 'rejected'))).toEqual([
    true,
    'rejected',
    true,
    true,
  ]);
  const stored = leased.units.filter((_, index) => index !== 1);
  expect(await read(leased)).toMatchObject({
    job: { status: 'running', units: { answered: 3, failed: 0 } },
    published: idsOf(stored),
  });
});

test('heartbeats and transactions of many units do not deadlock', async () => {
  const leased = await lease(400);
  const finalise = createUnitFinaliser(pool, {});
  let isDone = false;
  const heartbeats = [leased.units, leased.units.toReversed()].map(async (units) => {
    while (!isDone) await updateLeases(pool, units, 60_000);
  });
  const ends = await Promise.all(leased.units.map((unit) => finalise(answered(leased, unit))));
  isDone = true;
  await Promise.all(heartbeats);
  expect(ends.every((isStored) => isStored)).toBe(true);
  expect((await read(leased)).job).toMatchObject({ status: 'completed', units: { answered: 400 } });
});

test('usage counts each unit that was asked once, at the price of its time; null if one had none', async () => {
  const leased = await lease(5);
  const [first, second, unasked, lost, later] = leased.units;
  const failed = (unit: UnitRow, errorKind: string): FinalUnit => ({
    unit,
    traceparent: undefined,
    outcome: { kind: 'failed', errorKind },
  });
  const orgId = leased.plan.org.id;
  const month = new Date().toISOString().slice(0, 7);
  const read = async () => (await callRpc(harness.connection, findAllowanceRpc, { org_id: orgId })).answers;
  expect(await read()).toEqual({ month, units: 0, cost_usd: 0 });
  const finalise = createUnitFinaliser(pool, { chatgpt: 0.01 });
  await Promise.all([
    finalise(answered(leased, first!)),
    finalise(failed(second!, 'timeout')),
    finalise(failed(unasked!, 'unconfigured')),
    finalise(answered(leased, { ...lost!, fencing_token: 7 })),
  ]);
  expect(await read()).toEqual({ month, units: 2, cost_usd: 0.02 });
  await createUnitFinaliser(pool, { chatgpt: 0.05 })(answered(leased, lost!));
  expect(await read()).toEqual({ month, units: 3, cost_usd: 0.07 });
  await createUnitFinaliser(pool, {})(answered(leased, later!));
  const listed = { month, org_ids: [orgId, leased.plan.brand.id] };
  expect(await callRpc(harness.connection, listAnswersRpc, listed)).toEqual([
    { org_id: orgId, units: 4, cost_usd: null },
  ]);
});
