import { randomUUID } from 'node:crypto';
import { getScan as getScanOperation } from '@bv/contract';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { planData } from './catalog-stub.ts';
import { getScan, type Harness, type Replica, requestScan, startScans } from './harness.ts';

let harness: Harness;
let replica: Replica;
const now = new Date('2026-11-20T23:59:59Z');

beforeAll(async () => {
  harness = await startScans();
  replica = await harness.startReplica({ env: { WORKER_CONCURRENCY: '0' }, now: () => now });
});

afterAll(async () => {
  await replica.stop();
  await harness.stop();
});

describe('200', () => {
  test('the state of the job', async () => {
    const plan = harness.registerPlan(planData({ prompts: 1 }));
    const { data } = await requestScan(replica, plan, { key: 'k1' });
    const response = await getScan(replica, plan, data.job_id);
    expect(response.status).toBe(200);
    expect(response.data).toEqual({
      job_id: data.job_id,
      brand_id: plan.brand.id,
      status: 'queued',
      trigger: 'manual',
      run_date: '2026-11-20',
      idempotency_key: 'k1',
      units: { total: 5, answered: 0, no_answer: 0, failed: 0 },
      queued_at: '2026-11-20T23:59:59.000000Z',
      started_at: null,
      completed_at: null,
    });
  });
});

describe('400', () => {
  test('validation_error for an invalid id', async () => {
    const plan = planData();
    expect((await getScan(replica, plan, 'nonsense')).error.code).toBe('validation_error');
  });
});

describe('404', () => {
  test('not_found for an unknown job, one of another brand, or one of another organisation', async () => {
    const plan = harness.registerPlan(planData());
    const { data } = await requestScan(replica, plan);
    const other = harness.registerPlan(planData());
    const id = data.job_id;
    const foreign = await replica.call(getScanOperation, {
      params: { orgId: plan.org.id, brandId: plan.brand.id, jobId: id },
      caller: { orgId: other.org.id },
    });
    const responses = [
      await getScan(replica, plan, randomUUID()),
      await getScan(replica, { ...plan, brand: other.brand }, id),
      foreign,
    ];
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(new Set(responses.map((response) => response.error.code))).toEqual(new Set(['not_found']));
  });
});
