import { randomUUID } from 'node:crypto';
import { operatorAddScanCredits, type PlatformId } from '@bv/contract';
import { jobChanged, unitFinalised, allowanceChanged, type ScanPlan } from '@bv/events';
import { retryUnavailable, eventually } from '@bv/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { planData } from './catalog-stub.ts';
import {
  awaitJob,
  awaitStatements,
  getScan,
  type Harness,
  type Replica,
  requestScan,
  simulate,
  startScans,
  sumMetric,
} from './harness.ts';

let harness: Harness;
let replicas: Replica[];

beforeAll(async () => {
  harness = await startScans();
});

afterAll(() => harness.stop());

beforeEach(() => {
  replicas = [];
});

afterEach(async () => {
  await Promise.all(replicas.map((replica) => replica.stop()));
  simulate(harness.simulator, { kind: null });
  await harness.query(`delete from scan_units`);
  await harness.query(`update platform_lanes set next_at = '-infinity'`);
});

async function start(env: Record<string, string> = {}): Promise<Replica> {
  const replica = await harness.startReplica({ env });
  replicas.push(replica);
  return replica;
}

const setTrouble = (platform: PlatformId, trouble: Parameters<typeof simulate>[1]): void =>
  simulate(harness.simulator, trouble, [platform]);

async function queue(replica: Replica, plan: ScanPlan): Promise<string> {
  const options = { key: randomUUID(), operationId: randomUUID() };
  const { status, data } = await retryUnavailable(() => requestScan(replica, plan, options));
  expect(status).toBe(202);
  return data.job_id;
}

const awaitHeld = (requests: number) => eventually(() => expect(harness.simulator.state.held).toBe(requests));

/** Waits until the worker of a replica has looked for due units `times` more times. */
const awaitPolls = ({ monitoringUrl }: Replica, times: number) =>
  awaitStatements(monitoringUrl, 'scans.list_due_platforms', times);

const addCredit = ({ call }: Replica, { org }: ScanPlan) =>
  call(operatorAddScanCredits, { params: { orgId: org.id }, body: { amount: 1 } });

type Unit = { status: string; attempts: number; error_kind: string | null; latency_ms: number | null };
const findUnits = (jobId: string) =>
  harness.query<Unit>('select status, attempts, error_kind, latency_ms from scan_units where job_id = $1', [
    jobId,
  ]);

async function findUnitEvents(jobId: string) {
  const all = await harness.listPublished(unitFinalised);
  return all.filter(({ data }) => data.job_id === jobId);
}

async function lastAllowance(plan: Pick<ScanPlan, 'org'>) {
  const all = await harness.listPublished(allowanceChanged, plan.org.id);
  return all.at(-1)?.data;
}

describe('a scan through all five platforms', () => {
  test('publishes every unit once, and the job as queued, running and completed', async () => {
    const replica = await start();
    const plan = harness.registerPlan(planData({ prompts: 3, countries: ['US', 'DE'] }));
    const jobId = await queue(replica, plan);
    const job = await awaitJob(replica, plan, jobId);
    expect(job).toMatchObject({ status: 'completed', units: { total: 30, failed: 0 } });
    expect(job.units.answered + job.units.no_answer).toBe(30);
    const units = await findUnitEvents(jobId);
    expect(new Set(units.map(({ data }) => data.unit_id)).size).toBe(30);
    expect(units).toHaveLength(30);
    const { brand } = plan;
    for (const { data } of units) {
      expect(data.brands.map((brandResult) => [brandResult.brand_id, brandResult.is_own])).toEqual([
        [brand.id, true],
        [brand.competitors[0]?.id, false],
      ]);
    }
    expect(units.some(({ data }) => data.brands[0]?.mentioned)).toBe(true);
    const states = await harness.listPublished(jobChanged, jobId);
    expect(states.map(({ version, data }) => [version, data.status])).toEqual([
      [1, 'queued'],
      [2, 'running'],
      [3, 'completed'],
    ]);
    expect((await findUnits(jobId)).every(({ latency_ms }) => latency_ms !== null)).toBe(true);
  });
});

describe('platform failures', () => {
  test('429, 500 and an error in a 200 response are retried', async () => {
    setTrouble('chatgpt', { kind: '500', count: 2 });
    setTrouble('claude', { kind: 'error-in-200', count: 1 });
    setTrouble('perplexity', { kind: '429', count: 1, retryAfterSeconds: 1 });
    const replica = await start();
    const plan = harness.registerPlan(planData({ prompts: 1 }));
    const jobId = await queue(replica, plan);
    expect((await awaitJob(replica, plan, jobId)).status).toBe('completed');
    const attempts = (await findUnits(jobId)).map((unit) => unit.attempts).toSorted((a, b) => a - b);
    expect(attempts).toEqual([1, 1, 2, 2, 3]);
    expect(await findUnitEvents(jobId)).toHaveLength(5);
  });

  test('an empty answer is retried and fails its unit after the last attempt: it never counts as "not mentioned"', async () => {
    setTrouble('gemini', { kind: 'empty' });
    setTrouble('claude', { kind: 'empty', count: 1 });
    const replica = await start({ UNIT_MAX_ATTEMPTS: '2' });
    const plan = harness.registerPlan(planData({ prompts: 1, platforms: ['gemini', 'claude'] }));
    const jobId = await queue(replica, plan);
    expect(await awaitJob(replica, plan, jobId)).toMatchObject({
      status: 'partial',
      units: { total: 2, answered: 1, no_answer: 0, failed: 1 },
    });
    const units = (await findUnits(jobId)).map(({ status, attempts, error_kind }) => [
      status,
      attempts,
      error_kind,
    ]);
    expect(units).toEqual(expect.arrayContaining([['failed', 2, 'malformed']]));
    expect(units).toEqual(expect.arrayContaining([['answered', 2, null]]));
    expect((await findUnitEvents(jobId)).map(({ data }) => data.platform)).toEqual(['claude']);
  });

  test('an unavailable platform fails its units after the last attempt: the scan is partial and charged', async () => {
    setTrouble('gemini', { kind: '500' });
    const replica = await start({ UNIT_MAX_ATTEMPTS: '3' });
    const plan = harness.registerPlan(planData({ prompts: 2, platforms: ['gemini', 'perplexity'] }));
    const jobId = await queue(replica, plan);
    const job = await awaitJob(replica, plan, jobId);
    expect(job).toMatchObject({
      status: 'partial',
      units: { total: 4, answered: 2, no_answer: 0, failed: 2 },
    });
    const failed = (await findUnits(jobId)).filter((unit) => unit.status === 'failed');
    expect(failed).toMatchObject([
      { attempts: 3, error_kind: 'unavailable' },
      { attempts: 3, error_kind: 'unavailable' },
    ]);
    // A failed unit is not measured: it is never published as "not mentioned".
    expect((await findUnitEvents(jobId)).map(({ data }) => data.platform)).toEqual([
      'perplexity',
      'perplexity',
    ]);
    expect((await lastAllowance(plan))?.used).toBe(1);
  });

  test('a platform request that hangs ends at the deadline', async () => {
    setTrouble('claude', { kind: 'hang', count: 1 });
    const replica = await start({ UNIT_TIMEOUT_MS: '3000' });
    const plan = harness.registerPlan(planData({ prompts: 1, platforms: ['claude'] }));
    const jobId = await queue(replica, plan);
    expect((await awaitJob(replica, plan, jobId)).status).toBe('completed');
    expect(await findUnits(jobId)).toMatchObject([{ attempts: 2, status: 'answered' }]);
  });

  test('a missing AI Overview is published as no answer', async () => {
    setTrouble('ai_overviews', { kind: 'no-overview' });
    const replica = await start();
    const plan = harness.registerPlan(planData({ prompts: 1, platforms: ['ai_overviews'] }));
    const jobId = await queue(replica, plan);
    expect(await awaitJob(replica, plan, jobId)).toMatchObject({
      status: 'completed',
      units: { no_answer: 1 },
    });
    const [unit] = await findUnitEvents(jobId);
    expect(unit?.data).toMatchObject({ outcome: 'no_answer', answer_text: null });
  });

  test('if all units fail, the job fails and its charge is refunded', async () => {
    const replica = await start({ CHATGPT_API_KEY: 'invalid', CLAUDE_API_KEY: '' });
    const plan = harness.registerPlan(
      planData({ prompts: 2, platforms: ['chatgpt', 'claude'], manualScans: 1 }),
    );
    await addCredit(replica, plan);
    for (const before of [
      { used: 1, scan_credits: 1 },
      { used: 1, scan_credits: 1 },
    ]) {
      const jobId = await queue(replica, plan);
      const job = await awaitJob(replica, plan, jobId);
      expect(job).toMatchObject({ status: 'failed', units: { total: 4, failed: 4 } });
      expect(new Set((await findUnits(jobId)).map((unit) => unit.error_kind))).toEqual(
        new Set(['unauthorised', 'unconfigured']),
      );
      expect((await findUnits(jobId)).map((unit) => unit.attempts)).toEqual([1, 1, 1, 1]);
      // The charge, then the refund.
      const [charged, returned] = (await harness.listPublished(allowanceChanged, plan.org.id)).slice(-2);
      expect(charged?.data).toMatchObject(before);
      expect(returned?.data).toMatchObject({ used: 0, remaining: 1, scan_credits: 1 });
      expect(await findUnitEvents(jobId)).toEqual([]);
    }
  });

  test('many brands of one organisation at once: no deadlock, and every charge is refunded', async () => {
    const [first, second] = await Promise.all([
      start({ CHATGPT_API_KEY: '' }),
      start({ CHATGPT_API_KEY: '' }),
    ]);
    const one = planData({ manualScans: 50 });
    const plans = Array.from({ length: 40 }, () => {
      const plan = planData({ prompts: 2, platforms: ['chatgpt'], brand: { org_id: one.org.id } });
      return harness.registerPlan({ ...plan, org: one.org });
    });
    const jobs = await Promise.all(
      plans.map(async (plan, index) => {
        const replica = index % 2 === 0 ? first : second;
        return { plan, jobId: await queue(replica, plan) };
      }),
    );
    for (const { plan, jobId } of jobs) {
      expect((await awaitJob(first, plan, jobId)).status).toBe('failed');
    }
    expect(await lastAllowance(one)).toMatchObject({ used: 0, remaining: 50 });
    const versions = (await harness.listPublished(allowanceChanged, one.org.id)).map(
      ({ version }) => version,
    );
    expect(versions).toEqual(Array.from({ length: 80 }, (_, index) => index + 1));
  });

  test('a credit is refunded as a credit', async () => {
    const replica = await start({ CHATGPT_API_KEY: '' });
    const plan = harness.registerPlan(planData({ prompts: 1, platforms: ['chatgpt'], manualScans: 0 }));
    await addCredit(replica, plan);
    const jobId = await queue(replica, plan);
    await awaitJob(replica, plan, jobId);
    expect(await lastAllowance(plan)).toMatchObject({ used: 0, scan_credits: 1 });
  });
});

describe('leases', () => {
  test('a unit of a dead worker is leased again once its lease expires', async () => {
    const idle = await start({ WORKER_CONCURRENCY: '0' });
    const plan = harness.registerPlan(planData({ prompts: 2, platforms: ['chatgpt'] }));
    const jobId = await queue(idle, plan);
    // The state after a worker was killed that had leased the units.
    await harness.query(
      `update scan_jobs set status = 'running', started_at = now(), version = 2 where id = $1`,
      [jobId],
    );
    await harness.query(
      `update scan_units set status = 'running', fence = 1, attempts = 1, next_attempt_at = now() + interval '1 second'
       where job_id = $1`,
      [jobId],
    );
    await start();
    expect((await awaitJob(idle, plan, jobId)).status).toBe('completed');
    expect(await findUnits(jobId)).toMatchObject([{ attempts: 2 }, { attempts: 2 }]);
    expect(await findUnitEvents(jobId)).toHaveLength(2);
  });

  test('a heartbeat keeps a unit longer than the lease duration', async () => {
    setTrouble('chatgpt', { kind: 'hold' });
    const env = { UNIT_LEASE_MS: '6000', UNIT_TIMEOUT_MS: '60000' };
    const [first, second] = await Promise.all([start(env), start(env)]);
    const plan = harness.registerPlan(planData({ prompts: 1, platforms: ['chatgpt'] }));
    const jobId = await queue(first, plan);
    await awaitHeld(1);
    // Each replica polls four times a second, and takes over units 5 s after its start.
    await Promise.all([first, second].map((replica) => awaitPolls(replica, 32)));
    setTrouble('chatgpt', { kind: null });
    expect((await awaitJob(first, plan, jobId)).status).toBe('completed');
    expect(await findUnits(jobId)).toMatchObject([{ attempts: 1 }]);
  });

  test('an answer after the lease was lost is discarded', async () => {
    setTrouble('chatgpt', { kind: 'hold' });
    const slow = await start();
    const plan = harness.registerPlan(planData({ prompts: 1, platforms: ['chatgpt'] }));
    const jobId = await queue(slow, plan);
    await awaitHeld(1);
    // Another worker leases the unit while the first one still waits for its answer.
    await harness.query('update scan_units set fence = fence + 1 where job_id = $1', [jobId]);
    setTrouble('chatgpt', { kind: null });
    const lost = () => sumMetric(slow.monitoringUrl, 'bv_scans_leases_lost_total', 'platform="chatgpt"');
    await eventually(async () => expect(await lost()).toBe(1));
    expect(await findUnitEvents(jobId)).toEqual([]);
    expect((await getScan(slow, plan, jobId)).data.units.answered).toBe(0);
  });

  test('a unit that was leased too often fails instead of crashing further workers', async () => {
    const idle = await start({ WORKER_CONCURRENCY: '0' });
    const plan = harness.registerPlan(planData({ prompts: 1, platforms: ['chatgpt'] }));
    const jobId = await queue(idle, plan);
    await harness.query('update scan_units set attempts = 4 where job_id = $1', [jobId]);
    await start({ UNIT_MAX_ATTEMPTS: '4' });
    expect((await awaitJob(idle, plan, jobId)).status).toBe('failed');
    expect(await findUnits(jobId)).toMatchObject([{ status: 'failed', error_kind: 'lost' }]);
  });

  test('a stop releases units at once without counting an attempt', async () => {
    setTrouble('chatgpt', { kind: 'hang' });
    const first = await start({ UNIT_TIMEOUT_MS: '60000', UNIT_LEASE_MS: '60000' });
    const plan = harness.registerPlan(planData({ prompts: 2, platforms: ['chatgpt'] }));
    const jobId = await queue(first, plan);
    await eventually(async () => {
      expect((await findUnits(jobId)).map((unit) => unit.status)).toEqual(['running', 'running']);
    });
    await first.stop();
    expect(await findUnits(jobId)).toMatchObject([
      { status: 'pending', attempts: 0 },
      { status: 'pending', attempts: 0 },
    ]);
    setTrouble('chatgpt', { kind: null });
    const second = await start();
    expect((await awaitJob(second, plan, jobId)).status).toBe('completed');
  });
});

describe('concurrency and rate', () => {
  test('concurrency is limited over all replicas', async () => {
    setTrouble('chatgpt', { kind: 'hold' });
    const env = { CHATGPT_CONCURRENCY: '3' };
    const started = await Promise.all([start(env), start(env), start(env)]);
    const plan = harness.registerPlan(planData({ prompts: 20, platforms: ['chatgpt'] }));
    const jobId = await queue(started[0], plan);
    await awaitHeld(3);
    await Promise.all(started.map((replica) => awaitPolls(replica, 3)));
    expect((await findUnits(jobId)).filter(({ status }) => status === 'running')).toHaveLength(3);
    expect(harness.simulator.state.held).toBe(3);
    setTrouble('chatgpt', { kind: 'slow', delayMs: 50 });
    await awaitJob(started[0], plan, jobId);
  });

  test('a rate of 240 per minute is not exceeded', async () => {
    const env = { CHATGPT_PER_MINUTE: '240' };
    const [first] = await Promise.all([start(env), start(env)]);
    const plan = harness.registerPlan(planData({ prompts: 12, platforms: ['chatgpt'] }));
    const startedAt = performance.now();
    await awaitJob(first, plan, await queue(first, plan));
    // A burst of one second, then one unit every 250 ms.
    expect(performance.now() - startedAt).toBeGreaterThan(((12 - 5) * 60_000) / 240 - 250);
  });
});

describe('fairness', () => {
  test('a small scan queued behind one of 100,000 units is served alongside it', async () => {
    const env = { CHATGPT_CONCURRENCY: '8' };
    const idle = await start({ ...env, WORKER_CONCURRENCY: '0' });
    const large = harness.registerPlan(planData({ prompts: 1_000, platforms: ['chatgpt'] }));
    const largeId = await queue(idle, large);
    await harness.query(
      `insert into scan_units (job_id, prompt_id, prompt_text, platform, country, turn)
       select job_id, prompt_id, prompt_text, platform, 'C' || copy, turn + 1000 * copy
         from scan_units, generate_series(1, 99) as copy where job_id = $1`,
      [largeId],
    );
    await harness.query('update scan_jobs set units_total = 100000 where id = $1', [largeId]);
    const small = harness.registerPlan(planData({ prompts: 10, platforms: ['chatgpt'] }));
    setTrouble('chatgpt', { kind: 'hold', after: 20 });
    await start(env);
    await awaitHeld(8);
    const smallId = await queue(idle, small);
    setTrouble('chatgpt', { kind: null });
    expect((await awaitJob(idle, small, smallId)).status).toBe('completed');
    const [row] = await harness.query<{ served: number }>(
      `select count(*)::int as served from scan_units where job_id = $1
         and finalized_at <= (select max(finalized_at) from scan_units where job_id = $2)`,
      [largeId, smallId],
    );
    // Twenty before the small scan, ten interleaved with it, and those in flight.
    expect(row?.served).toBeGreaterThanOrEqual(20);
    expect(row?.served).toBeLessThan(60);
  });
});

describe('archived brands', () => {
  test('a scan whose brand was archived after its plan is cancelled at its start', async () => {
    const idle = await start({ WORKER_CONCURRENCY: '0' });
    const plan = harness.registerPlan(planData({ prompts: 1, platforms: ['chatgpt'] }));
    const archivedAt = new Date().toISOString();
    await harness.publishBrand(plan, 2, { sunset_at: archivedAt, updated_at: archivedAt });
    await eventually(async () => {
      expect(await harness.query('select 1 from brands where id = $1', [plan.brand.id])).toHaveLength(1);
    });
    const jobId = await queue(idle, plan);
    await start();
    expect(await awaitJob(idle, plan, jobId)).toMatchObject({ status: 'cancelled', started_at: null });
    await eventually(async () => expect(await findUnits(jobId)).toEqual([]));
    expect((await lastAllowance(plan))?.used).toBe(0);
  });

  test('a restored brand is scanned before its change event arrives', async () => {
    const idle = await start({ WORKER_CONCURRENCY: '0' });
    const plan = harness.registerPlan(planData({ prompts: 1, platforms: ['chatgpt'] }));
    const archivedAt = '2025-06-01T00:00:00.000Z';
    await harness.publishBrand(plan, 1, { sunset_at: archivedAt, updated_at: archivedAt });
    await eventually(async () => {
      expect(await harness.query('select 1 from brands where id = $1', [plan.brand.id])).toHaveLength(1);
    });
    const jobId = await queue(idle, plan);
    await start();
    expect((await awaitJob(idle, plan, jobId)).status).toBe('completed');
  });
});
