import { randomUUID } from 'node:crypto';
import { operatorAddScanCredits, type PlatformId } from '@bv/contract';
import { jobChanged, orgChanged, type ScanPlan } from '@bv/events';
import { eventually, retryUnavailable } from '@bv/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { planData } from './catalog-stub.ts';
import { awaitJob, type Harness, type Replica, simulate, startScans } from './harness.ts';
import { findAllowance, findUnitEvents, findUnits, queue, useReplicas } from './replicas.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await startScans();
});
afterAll(() => harness.stop());

const start = useReplicas(() => harness);

const setTrouble = (platform: PlatformId, trouble: Parameters<typeof simulate>[1]): void =>
  simulate(harness.simulator, trouble, [platform]);

async function addCredit({ call }: Replica, { org }: ScanPlan): Promise<void> {
  const request = { params: { orgId: org.id }, body: { amount: 1 }, caller: { operationId: randomUUID() } };
  const { status } = await retryUnavailable(() => call(operatorAddScanCredits, request));
  expect(status).toBe(201);
}

describe('a scan through all five platforms', () => {
  test('publishes every unit once, and the job as queued, running and completed', async () => {
    const replica = await start();
    const plan = harness.registerPlan(planData({ prompts: 3, countries: ['US', 'DE'] }));
    const jobId = await queue(replica, plan);
    const job = await awaitJob(replica, plan, jobId);
    expect(job).toMatchObject({ status: 'completed', units: { total: 30, failed: 0 } });
    expect(job.units.answered + job.units.no_answer).toBe(30);
    const units = await findUnitEvents(harness, jobId);
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
    expect((await findUnits(harness, jobId)).every(({ latency_ms }) => latency_ms !== null)).toBe(true);
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
    const attempts = (await findUnits(harness, jobId)).map((unit) => unit.attempts).toSorted((a, b) => a - b);
    expect(attempts).toEqual([1, 1, 2, 2, 3]);
    expect(await findUnitEvents(harness, jobId)).toHaveLength(5);
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
    const units = (await findUnits(harness, jobId)).map(({ status, attempts, error_kind }) => [
      status,
      attempts,
      error_kind,
    ]);
    expect(units).toEqual(expect.arrayContaining([['failed', 2, 'malformed']]));
    expect(units).toEqual(expect.arrayContaining([['answered', 2, null]]));
    expect((await findUnitEvents(harness, jobId)).map(({ data }) => data.platform)).toEqual(['claude']);
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
    const failed = (await findUnits(harness, jobId)).filter((unit) => unit.status === 'failed');
    expect(failed).toMatchObject([
      { attempts: 3, error_kind: 'unavailable' },
      { attempts: 3, error_kind: 'unavailable' },
    ]);
    // A failed unit is not measured: it is never published as "not mentioned".
    expect((await findUnitEvents(harness, jobId)).map(({ data }) => data.platform)).toEqual([
      'perplexity',
      'perplexity',
    ]);
    expect((await findAllowance(harness, plan)).used).toBe(1);
  });

  test('a platform request that hangs ends at the deadline', async () => {
    setTrouble('claude', { kind: 'hang', count: 1 });
    const replica = await start({ UNIT_TIMEOUT_MS: '3000' });
    const plan = harness.registerPlan(planData({ prompts: 1, platforms: ['claude'] }));
    const jobId = await queue(replica, plan);
    expect((await awaitJob(replica, plan, jobId)).status).toBe('completed');
    expect(await findUnits(harness, jobId)).toMatchObject([{ attempts: 2, status: 'answered' }]);
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
    const [unit] = await findUnitEvents(harness, jobId);
    expect(unit?.data).toMatchObject({ outcome: 'no_answer', answer_text: null });
  });

  test('if all units fail, the job fails and its charge is refunded', async () => {
    const replica = await start({ CHATGPT_API_KEY: 'invalid', CLAUDE_API_KEY: '' });
    const plan = harness.registerPlan(
      planData({ prompts: 2, platforms: ['chatgpt', 'claude'], manualScans: 1 }),
    );
    await addCredit(replica, plan);
    for (let scan = 0; scan < 2; scan += 1) {
      const jobId = await queue(replica, plan);
      const job = await awaitJob(replica, plan, jobId);
      expect(job).toMatchObject({ status: 'failed', units: { total: 4, failed: 4 } });
      expect(new Set((await findUnits(harness, jobId)).map((unit) => unit.error_kind))).toEqual(
        new Set(['unauthorised', 'unconfigured']),
      );
      expect((await findUnits(harness, jobId)).map((unit) => unit.attempts)).toEqual([1, 1, 1, 1]);
      expect(await findAllowance(harness, plan)).toMatchObject({ used: 0, scan_credits: 1 });
      expect(await findUnitEvents(harness, jobId)).toEqual([]);
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
    expect(await findAllowance(harness, one)).toMatchObject({ used: 0 });
  });

  test('a credit is refunded as a credit', async () => {
    const replica = await start({ CHATGPT_API_KEY: '' });
    const plan = harness.registerPlan(planData({ prompts: 1, platforms: ['chatgpt'], manualScans: 0 }));
    await addCredit(replica, plan);
    const jobId = await queue(replica, plan);
    await awaitJob(replica, plan, jobId);
    expect(await findAllowance(harness, plan)).toMatchObject({ used: 0, scan_credits: 1 });
  });
});

describe('archived brands and deleted organisations', () => {
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
    await eventually(async () => expect(await findUnits(harness, jobId)).toEqual([]));
    expect((await findAllowance(harness, plan)).used).toBe(0);
  });

  test('the queued scans of a deleted organisation are cancelled, and its purge ends without a worker', async () => {
    const idle = await start({ WORKER_CONCURRENCY: '0' });
    const plan = harness.registerPlan(planData());
    const { org } = plan;
    const jobId = await queue(idle, plan);
    const deleted = { ...org, deleted_at: new Date().toISOString() };
    await harness.emit(orgChanged, org.id, 2, deleted);
    await eventually(async () => {
      const states = await harness.listPublished(jobChanged, jobId);
      expect(states.map(({ data }) => data.status)).toEqual(['queued', 'cancelled']);
    });
    await harness.emit(orgChanged, org.id, 3, { ...deleted, purge_requested_at: deleted.deleted_at });
    const listJobs = () => harness.query('select id from scan_jobs where org_id = $1', [org.id]);
    await eventually(async () => expect(await listJobs()).toEqual([]), { timeoutMs: 30_000 });
  });

  test('a scan that was queued after its organisation was deleted is cancelled at its start', async () => {
    const idle = await start({ WORKER_CONCURRENCY: '0' });
    const plan = harness.registerPlan(planData({ prompts: 1, platforms: ['chatgpt'] }));
    await harness.emit(orgChanged, plan.org.id, 2, { ...plan.org, deleted_at: new Date().toISOString() });
    await eventually(async () => {
      expect(await harness.query('select 1 from orgs where id = $1', [plan.org.id])).toHaveLength(1);
    });
    const jobId = await queue(idle, plan);
    await start();
    expect(await awaitJob(idle, plan, jobId)).toMatchObject({ status: 'cancelled', started_at: null });
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
