import { randomUUID } from 'node:crypto';
import { operatorAddScanCredits, requestScan as requestScanOperation } from '@bv/contract';
import { callRpc, findAllowanceRpc, jobChanged, type ScanPlan } from '@bv/events';
import { retryUnavailable, eventually } from '@bv/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { planData } from './catalog-stub.ts';
import { getScan, type Harness, type Replica, requestScan, startScans } from './harness.ts';

let harness: Harness;
let replica: Replica;
/** No worker: queued scans stay queued. */
const env = { WORKER_CONCURRENCY: '0' };
const day = '2026-11-20';
const now = () => new Date(`${day}T12:00:00Z`);

beforeAll(async () => {
  harness = await startScans();
  replica = await harness.startReplica({ env, now });
});

afterAll(async () => {
  await replica.stop();
  await harness.stop();
});

const request = (plan: ScanPlan, options?: Parameters<typeof requestScan>[2]) =>
  requestScan(replica, plan, options);

async function findAllowance(plan: ScanPlan): Promise<{ used: number; credits: number } | undefined> {
  const [row] = await harness.query<{ used: number; credits: number }>(
    'select used, credits from org_allowances where org_id = $1',
    [plan.org.id],
  );
  return row;
}

async function countJobs(plan: ScanPlan): Promise<number> {
  const rows = await harness.query('select id from scan_jobs where brand_id = $1', [plan.brand.id]);
  return rows.length;
}

/** Ends a queued job, so that the next request is not refused because of it. */
async function endJob(jobId: string): Promise<void> {
  await harness.query(`update scan_jobs set status = 'completed', completed_at = now() where id = $1`, [
    jobId,
  ]);
}

describe('202', () => {
  test('queues every prompt in each country on each platform and publishes the job, and is charged', async () => {
    const plan = harness.registerPlan(
      planData({ prompts: 3, countries: ['DE', 'US'], platforms: ['gemini', 'chatgpt'] }),
    );
    const { status, data } = await request(plan, { key: 'my-key' });
    expect(status).toBe(202);
    expect(data).toEqual({ job_id: expect.any(String), idempotency_key: 'my-key', status: 'queued' });
    const units = await harness.query<{ prompt_text: string }>('select * from scan_units where job_id = $1', [
      data.job_id,
    ]);
    expect(units).toHaveLength(12);
    const jobs = await harness.listPublished(jobChanged, data.job_id);
    expect(jobs).toMatchObject([
      {
        version: 1,
        data: {
          status: 'queued',
          trigger: 'manual',
          run_date: day,
          units: { total: 12, answered: 0, no_answer: 0, failed: 0 },
          platforms: ['chatgpt', 'gemini'],
          countries: ['DE', 'US'],
        },
      },
    ]);
    expect(await callRpc(harness.connection, findAllowanceRpc, { org_id: plan.org.id })).toMatchObject({
      used: 1,
      resets_at: '2026-12-01T00:00:00.000Z',
    });
  });

  test("without the caller's key the service creates one", async () => {
    const { data } = await request(harness.registerPlan(planData()));
    expect(data.idempotency_key).toMatch(/^[\da-f-]{36}$/);
  });

  test('a retry under the same operation id gets the first response, also if the brand was archived since', async () => {
    const plan = harness.registerPlan(planData());
    const operationId = randomUUID();
    const first = await request(plan, { operationId });
    harness.registerPlan({ ...plan, archived: true });
    const again = await request(plan, { operationId });
    expect([again.status, again.body]).toEqual([202, first.body]);
    expect(await findAllowance(plan)).toEqual({ used: 1, credits: 0 });
  });

  test('a scan of an unlimited tier is not charged', async () => {
    const plan = harness.registerPlan(planData({ manualScans: null }));
    expect((await request(plan)).status).toBe(202);
    expect(await findAllowance(plan)).toEqual({ used: 0, credits: 0 });
  });

  test('the allowance is used before credits, and each further scan is charged', async () => {
    const plan = harness.registerPlan(planData({ manualScans: 1 }));
    const credits = { params: { orgId: plan.org.id }, body: { amount: 2 } };
    expect((await replica.call(operatorAddScanCredits, credits)).status).toBe(201);
    const allowances: unknown[] = [];
    for (let scan = 0; scan < 3; scan += 1) {
      const { status, data } = await request(plan);
      expect(status).toBe(202);
      allowances.push(await findAllowance(plan));
      await endJob(data.job_id);
    }
    expect(allowances).toEqual([
      { used: 1, credits: 2 },
      { used: 1, credits: 1 },
      { used: 1, credits: 0 },
    ]);
    expect((await request(plan)).error.details).toEqual({ manual_scans_remaining: 0, scan_credits: 0 });
  });

  test('a new month starts with nothing used', async () => {
    const plan = harness.registerPlan(planData({ manualScans: 1 }));
    await endJob((await request(plan)).data.job_id);
    expect((await request(plan)).status).toBe(402);
    const later = await harness.startReplica({ env, now: () => new Date('2026-12-01T00:00:00Z') });
    const { status } = await requestScan(later, plan);
    await later.stop();
    expect(status).toBe(202);
    expect(await findAllowance(plan)).toEqual({ used: 1, credits: 0 });
  });
});

describe('at midnight UTC', () => {
  /** Requests a scan from a replica whose clock stands still. */
  async function requestAt(moment: string, plan: ScanPlan) {
    const replicaAt = await harness.startReplica({ env, now: () => new Date(moment) });
    const response = await requestScan(replicaAt, plan);
    await replicaAt.stop();
    return response;
  }

  test('an open scan of yesterday does not block a scan of today', async () => {
    const plan = harness.registerPlan(planData({ manualScans: 2 }));
    expect((await requestAt('2031-03-14T23:59:59.999Z', plan)).status).toBe(202);
    expect((await requestAt('2031-03-14T23:59:59.999Z', plan)).status).toBe(409);
    const today = await requestAt('2031-03-15T00:00:00Z', plan);
    expect(today.status).toBe(202);
    const again = await requestAt('2031-03-15T23:59:59.999Z', plan);
    expect(again.refusal).toMatchObject({ status: 409, details: { job_id: today.data.job_id } });
  });

  test('a refund of a scan of last month does not change the allowance of this month', async () => {
    const [old, current] = [planData({ manualScans: 1 }), planData({ manualScans: 1 })];
    const plans = [
      old,
      { ...current, org: old.org, brand: { ...current.brand, org_id: old.org.id } },
    ] as const;
    for (const plan of plans) harness.registerPlan(plan);
    const { data } = await requestAt('2031-03-31T23:59:59Z', old);
    expect((await requestAt('2031-04-01T00:00:00Z', plans[1])).status).toBe(202);
    const archivedAt = '2031-04-01T00:00:01.000000Z';
    await harness.publishBrand(old, 2, { sunset_at: archivedAt, updated_at: archivedAt });
    await eventually(async () => {
      const job = await getScan(replica, old, data.job_id);
      expect(job.data.status).toBe('cancelled');
    });
    expect(await findAllowance(old)).toEqual({ used: 1, credits: 0 });
  });
});

describe('400', () => {
  test('validation_error: own_brand_only for a competitor', async () => {
    const plan = harness.registerPlan(planData({ brand: { is_own: false, competitors: [] } }));
    const { status, error } = await request(plan);
    expect(status).toBe(400);
    expect(error).toMatchObject({
      code: 'validation_error',
      details: [{ path: 'brandId', code: 'own_brand_only' }],
    });
  });

  test('validation_error for an invalid id', async () => {
    const { refusal } = await replica.call(requestScanOperation, {
      params: { orgId: randomUUID(), brandId: 'nonsense' },
    });
    expect([refusal.status, refusal.code]).toEqual([400, 'validation_error']);
  });
});

describe('402', () => {
  test('no_manual_scans: nothing is queued or changed', async () => {
    const plan = harness.registerPlan(planData({ manualScans: 0 }));
    const { status, error } = await request(plan);
    expect(status).toBe(402);
    expect(error).toMatchObject({
      code: 'no_manual_scans',
      details: { manual_scans_remaining: 0, scan_credits: 0 },
    });
    expect(await countJobs(plan)).toBe(0);
    expect(await findAllowance(plan)).toBeUndefined();
  });
});

describe('403', () => {
  test('tier_not_entitled, whatever else is wrong', async () => {
    const plan = harness.registerPlan(planData({ onDemandScans: false, archived: true, prompts: 0 }));
    const { status, error } = await request(plan);
    expect([status, error.code]).toEqual([403, 'tier_not_entitled']);
  });
});

describe('404', () => {
  test('not_found for an unknown brand', async () => {
    const { status, error } = await request(planData());
    expect([status, error.code]).toEqual([404, 'not_found']);
  });

  test('not_found for the brand of another organisation', async () => {
    const plan = harness.registerPlan(planData());
    const other = { ...plan, org: { ...plan.org, id: randomUUID() } };
    expect((await request(other)).status).toBe(404);
  });
});

describe('409', () => {
  test('brand_archived: nothing queued or charged', async () => {
    const plan = harness.registerPlan(planData({ archived: true, prompts: 0 }));
    const { status, error } = await request(plan);
    expect(status).toBe(409);
    expect(error).toMatchObject({ code: 'brand_archived', details: { brand_id: plan.brand.id } });
    expect([await countJobs(plan), await findAllowance(plan)]).toEqual([0, undefined]);
  });

  test('no_active_prompts: nothing queued or charged', async () => {
    const plan = harness.registerPlan(planData({ prompts: 0 }));
    const { status, error } = await request(plan);
    expect(status).toBe(409);
    expect(error).toMatchObject({ code: 'no_active_prompts', details: { brand_id: plan.brand.id } });
    expect([await countJobs(plan), await findAllowance(plan)]).toEqual([0, undefined]);
  });

  test('scan_already_queued: of 50 parallel requests one is queued and charged, the others return its id', async () => {
    const plan = harness.registerPlan(planData({ manualScans: 1 }));
    const second = await harness.startReplica({ env, now });
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) => {
        const options = { key: `key-${index}`, operationId: randomUUID() };
        return retryUnavailable(() => requestScan(index % 2 === 0 ? replica : second, plan, options));
      }),
    );
    await second.stop();
    const [accepted, ...others] = responses.toSorted((a, b) => a.status - b.status);
    expect(accepted?.status).toBe(202);
    expect(new Set(others.map(({ status }) => status))).toEqual(new Set([409]));
    const { job_id, idempotency_key } = accepted?.data ?? {};
    for (const { error } of others) {
      expect(error).toMatchObject({ code: 'scan_already_queued', details: { job_id, idempotency_key } });
    }
    expect(await countJobs(plan)).toBe(1);
    expect(await findAllowance(plan)).toEqual({ used: 1, credits: 0 });
  });

  test('scan_already_queued comes before no_manual_scans', async () => {
    const plan = harness.registerPlan(planData({ manualScans: 1 }));
    const { data } = await request(plan);
    const again = await request(plan);
    expect(again.refusal).toMatchObject({ code: 'scan_already_queued', details: { job_id: data.job_id } });
  });
});

describe('archived before the start', () => {
  test('the scan is cancelled and its charge is refunded', async () => {
    const plan = harness.registerPlan(planData({ manualScans: 1 }));
    await harness.publishBrand(plan, 1);
    const { data } = await request(plan);
    const archivedAt = new Date().toISOString();
    await harness.publishBrand(plan, 2, { sunset_at: archivedAt, updated_at: archivedAt });
    await eventually(async () => {
      const job = await getScan(replica, plan, data.job_id);
      expect(job.data).toMatchObject({ status: 'cancelled', started_at: null });
      expect(job.data.completed_at).not.toBeNull();
    });
    expect(await findAllowance(plan)).toEqual({ used: 0, credits: 0 });
    const published = await harness.listPublished(jobChanged, data.job_id);
    expect(published.map(({ version, data }) => [version, data.status])).toEqual([
      [1, 'queued'],
      [2, 'cancelled'],
    ]);
  });
});

describe('503', () => {
  test('api_unavailable while catalog does not respond', async () => {
    const plan = harness.registerPlan(planData());
    await harness.stopCatalog();
    const { status, headers, error } = await request(plan);
    expect([status, error.code, headers.get('retry-after')]).toEqual([503, 'api_unavailable', '5']);
    expect(await countJobs(plan)).toBe(0);
  });
});
