import { randomUUID } from 'node:crypto';
import type { allowanceChanged, jobChanged, ScanPlan } from '@bv/events';
import { answered, callService, eventually, testCaller } from '@bv/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  emitBrand,
  type Events,
  getScan,
  type Harness,
  operate,
  planData,
  requestScan,
  startReplica,
  startScans,
} from './harness.ts';

let harness: Harness;
let replica: Awaited<ReturnType<typeof startReplica>>;
/** Nothing works here: what is queued stays queued. */
const env = { WORKER_CONCURRENCY: '0' };

beforeAll(async () => {
  harness = await startScans();
  replica = await startReplica(harness.stores, { env });
});

afterAll(async () => {
  await replica.stop();
  await harness.stop();
});

const request = (plan: ScanPlan, options?: Parameters<typeof requestScan>[2]) =>
  requestScan(replica.base, plan, options);

async function allowanceOf(plan: ScanPlan): Promise<{ used: number; credits: number } | undefined> {
  const [row] = await harness.query<{ used: number; credits: number }>(
    'select used, credits from org_allowances where org_id = $1',
    [plan.org.id],
  );
  return row;
}

async function jobsOf(plan: ScanPlan): Promise<number> {
  const rows = await harness.query('select id from scan_jobs where brand_id = $1', [plan.brand.id]);
  return rows.length;
}

/** Ends a queued job as its workers would have, so that the next request finds no scan in the way. */
async function endJob(jobId: string): Promise<void> {
  await harness.query(`update scan_jobs set status = 'completed', completed_at = now() where id = $1`, [
    jobId,
  ]);
}

describe('202', () => {
  test('queues every prompt in each country on each platform and tells job and allowance', async () => {
    const plan = harness.know(
      planData({ prompts: 3, countries: ['DE', 'US'], platforms: ['gemini', 'chatgpt'] }),
    );
    const { status, body } = await request(plan, { key: 'my-key' });
    expect(status).toBe(202);
    expect(body).toEqual({
      data: { job_id: expect.any(String), idempotency_key: 'my-key', status: 'queued' },
    });
    const units = await harness.query<{ prompt_text: string }>('select * from scan_units where job_id = $1', [
      body.data.job_id,
    ]);
    expect(units).toHaveLength(12);
    const jobs = (await harness.published('scans.job.changed.v1', body.data.job_id)) as Events<
      typeof jobChanged
    >;
    expect(jobs).toMatchObject([
      {
        version: 1,
        data: {
          status: 'queued',
          trigger: 'manual',
          run_date: new Date().toISOString().slice(0, 10),
          units: { total: 12, answered: 0, no_answer: 0, failed: 0 },
          platforms: ['chatgpt', 'gemini'],
          countries: ['DE', 'US'],
        },
      },
    ]);
    const told = (await harness.published('scans.allowance.changed.v1', plan.org.id)) as Events<
      typeof allowanceChanged
    >;
    expect(told.at(-1)?.data).toMatchObject({ used: 1, limit: 10, remaining: 9, scan_credits: 0 });
    expect(told.at(-1)?.data.resets_at).toMatch(/^\d{4}-\d\d-01T00:00:00.000Z$/);
  });

  test('without a key of the caller the service makes one', async () => {
    const { body } = await request(harness.know(planData()));
    expect(body.data.idempotency_key).toMatch(/^[\da-f-]{36}$/);
  });

  test('a retry under the same operation id gets the first answer, also when the brand is archived by then', async () => {
    const plan = harness.know(planData());
    const operationId = randomUUID();
    const first = await request(plan, { operationId });
    harness.know({ ...plan, archived: true });
    const again = await request(plan, { operationId });
    expect([again.status, again.body]).toEqual([202, first.body]);
    expect(await allowanceOf(plan)).toEqual({ used: 1, credits: 0 });
  });

  test('an unlimited plan is charged nothing', async () => {
    const plan = harness.know(planData({ manualScans: null }));
    expect((await request(plan)).status).toBe(202);
    expect(await allowanceOf(plan)).toEqual({ used: 0, credits: 0 });
  });

  test('the allowance goes before credits, and after a scan has ended the next is charged again', async () => {
    const plan = harness.know(planData({ manualScans: 1 }));
    expect((await operate(replica.base, `/orgs/${plan.org.id}/scan-credits`, { amount: 2 })).status).toBe(
      201,
    );
    const left: unknown[] = [];
    for (let scan = 0; scan < 3; scan += 1) {
      const { status, body } = await request(plan);
      expect(status).toBe(202);
      left.push(await allowanceOf(plan));
      await endJob(body.data.job_id);
    }
    expect(left).toEqual([
      { used: 1, credits: 2 },
      { used: 1, credits: 1 },
      { used: 1, credits: 0 },
    ]);
    expect((await request(plan)).body.error.details).toEqual({ manual_scans_remaining: 0, scan_credits: 0 });
  });

  test('a new month starts with nothing used', async () => {
    const plan = harness.know(planData({ manualScans: 1 }));
    await endJob((await request(plan)).body.data.job_id);
    expect((await request(plan)).status).toBe(402);
    const nextMonth = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + 1, 1));
    const later = await startReplica(harness.stores, { env, now: () => nextMonth });
    const { status } = await requestScan(later.base, plan);
    await later.stop();
    expect(status).toBe(202);
    expect(await allowanceOf(plan)).toEqual({ used: 1, credits: 0 });
  });
});

describe('at midnight UTC', () => {
  /** A replica that stands at a moment. */
  async function requestAt(moment: string, plan: ScanPlan) {
    const there = await startReplica(harness.stores, { env, now: () => new Date(moment) });
    const answer = await requestScan(there.base, plan);
    await there.stop();
    return answer;
  }

  test("a scan that yesterday left open is in nobody's way", async () => {
    const plan = harness.know(planData({ manualScans: 2 }));
    expect((await requestAt('2031-03-14T23:59:59.999Z', plan)).status).toBe(202);
    expect((await requestAt('2031-03-14T23:59:59.999Z', plan)).status).toBe(409);
    const today = await requestAt('2031-03-15T00:00:00Z', plan);
    expect(today.status).toBe(202);
    const again = await requestAt('2031-03-15T23:59:59.999Z', plan);
    expect([again.status, again.body.error.details.job_id]).toEqual([409, today.body.data.job_id]);
  });

  test('what a scan of last month gives back is not taken from what this month has used', async () => {
    const [old, current] = [planData({ manualScans: 1 }), planData({ manualScans: 1 })];
    const plans = [
      old,
      { ...current, org: old.org, brand: { ...current.brand, org_id: old.org.id } },
    ] as const;
    for (const plan of plans) harness.know(plan);
    const { body } = await requestAt('2031-03-31T23:59:59Z', old);
    expect((await requestAt('2031-04-01T00:00:00Z', plans[1])).status).toBe(202);
    const archivedAt = '2031-04-01T00:00:01.000000Z';
    await emitBrand(harness, old, 2, { sunset_at: archivedAt, updated_at: archivedAt });
    await eventually(async () => {
      const { body: job } = await getScan(replica.base, old, body.data.job_id);
      expect(job.data.status).toBe('cancelled');
    });
    expect(await allowanceOf(old)).toEqual({ used: 1, credits: 0 });
  });
});

describe('400', () => {
  test('validation_error: own_brand_only for a competitor', async () => {
    const plan = harness.know(planData({ brand: { is_own: false, competitors: [] } }));
    const { status, body } = await request(plan);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({
      code: 'validation_error',
      details: [{ path: 'brandId', code: 'own_brand_only' }],
    });
  });

  test('validation_error for an id that is none', async () => {
    const orgId = randomUUID();
    const path = `/v1/orgs/${orgId}/brands/nonsense/scan-requests`;
    const { status, body } = await callService(replica.base, {
      method: 'POST',
      path,
      caller: testCaller({ orgId }),
    });
    expect([status, body.error.code]).toEqual([400, 'validation_error']);
  });
});

describe('402', () => {
  test('no_manual_scans: nothing left, nothing queued, nothing touched', async () => {
    const plan = harness.know(planData({ manualScans: 0 }));
    const { status, body } = await request(plan);
    expect(status).toBe(402);
    expect(body.error).toMatchObject({
      code: 'no_manual_scans',
      details: { manual_scans_remaining: 0, scan_credits: 0 },
    });
    expect(await jobsOf(plan)).toBe(0);
    expect(await allowanceOf(plan)).toBeUndefined();
    expect(await harness.published('scans.allowance.changed.v1', plan.org.id)).toEqual([]);
  });
});

describe('403', () => {
  test('tier_not_entitled, whatever else is wrong', async () => {
    const plan = harness.know(planData({ onDemandScans: false, archived: true, prompts: 0 }));
    const { status, body } = await request(plan);
    expect([status, body.error.code]).toEqual([403, 'tier_not_entitled']);
  });
});

describe('404', () => {
  test('not_found for a brand that catalog does not know', async () => {
    const { status, body } = await request(planData());
    expect([status, body.error.code]).toEqual([404, 'not_found']);
  });

  test('not_found for the brand of another organisation', async () => {
    const plan = harness.know(planData());
    const other = { ...plan, org: { ...plan.org, id: randomUUID() } };
    expect((await request(other)).status).toBe(404);
  });
});

describe('409', () => {
  test('brand_archived: nothing queued or charged', async () => {
    const plan = harness.know(planData({ archived: true, prompts: 0 }));
    const { status, body } = await request(plan);
    expect(status).toBe(409);
    expect(body.error).toMatchObject({ code: 'brand_archived', details: { brand_id: plan.brand.id } });
    expect([await jobsOf(plan), await allowanceOf(plan)]).toEqual([0, undefined]);
  });

  test('no_active_prompts: nothing queued or charged', async () => {
    const plan = harness.know(planData({ prompts: 0 }));
    const { status, body } = await request(plan);
    expect(status).toBe(409);
    expect(body.error).toMatchObject({ code: 'no_active_prompts', details: { brand_id: plan.brand.id } });
    expect([await jobsOf(plan), await allowanceOf(plan)]).toEqual([0, undefined]);
  });

  test('scan_already_queued: of 50 at once on two replicas one is queued and charged, the others name it', async () => {
    const plan = harness.know(planData({ manualScans: 1 }));
    const second = await startReplica(harness.stores, { env });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => {
        const options = { key: `key-${index}`, operationId: randomUUID() };
        return answered(() => requestScan(index % 2 === 0 ? replica.base : second.base, plan, options));
      }),
    );
    await second.stop();
    const [accepted, ...others] = answers.toSorted((a, b) => a.status - b.status);
    expect(accepted?.status).toBe(202);
    expect(new Set(others.map(({ status }) => status))).toEqual(new Set([409]));
    const { job_id, idempotency_key } = accepted?.body.data ?? {};
    for (const { body } of others) {
      expect(body.error).toMatchObject({ code: 'scan_already_queued', details: { job_id, idempotency_key } });
    }
    expect(await jobsOf(plan)).toBe(1);
    expect(await allowanceOf(plan)).toEqual({ used: 1, credits: 0 });
  });

  test('scan_already_queued comes before no_manual_scans', async () => {
    const plan = harness.know(planData({ manualScans: 1 }));
    const { body } = await request(plan);
    const again = await request(plan);
    expect([again.status, again.body.error.details.job_id]).toEqual([409, body.data.job_id]);
  });
});

describe('archived before the start', () => {
  test('the scan is cancelled and what it was charged given back', async () => {
    const plan = harness.know(planData({ manualScans: 1 }));
    await emitBrand(harness, plan, 1);
    const { body } = await request(plan);
    const archivedAt = new Date().toISOString();
    await emitBrand(harness, plan, 2, { sunset_at: archivedAt, updated_at: archivedAt });
    await eventually(async () => {
      const job = await getScan(replica.base, plan, body.data.job_id);
      expect(job.body.data).toMatchObject({ status: 'cancelled', started_at: null });
      expect(job.body.data.completed_at).not.toBeNull();
    });
    expect(await allowanceOf(plan)).toEqual({ used: 0, credits: 0 });
    const told = (await harness.published('scans.job.changed.v1', body.data.job_id)) as Events<
      typeof jobChanged
    >;
    expect(told.map(({ version, data }) => [version, data.status])).toEqual([
      [1, 'queued'],
      [2, 'cancelled'],
    ]);
  });
});

describe('503', () => {
  test('api_unavailable while catalog does not answer', async () => {
    const plan = harness.know(planData());
    await harness.silenceCatalog();
    const { status, headers, body } = await request(plan);
    expect([status, body.error.code, headers.get('retry-after')]).toEqual([503, 'api_unavailable', '5']);
    expect(await jobsOf(plan)).toBe(0);
  });
});
