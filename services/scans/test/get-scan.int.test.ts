import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { callService, testCaller } from '@bv/testkit';
import { getScan, type Harness, planData, requestScan, startReplica, startScans } from './harness.ts';

let harness: Harness;
let replica: Awaited<ReturnType<typeof startReplica>>;

beforeAll(async () => {
  harness = await startScans();
  replica = await startReplica(harness.stores, { env: { WORKER_CONCURRENCY: '0' } });
});

afterAll(async () => {
  await replica.stop();
  await harness.stop();
});

describe('200', () => {
  test('the state of the job', async () => {
    const plan = harness.registerPlan(planData({ prompts: 1 }));
    const { body } = await requestScan(replica.base, plan, { key: 'k1' });
    const response = await getScan(replica.base, plan, body.data.job_id);
    expect(response.status).toBe(200);
    expect(response.body.data).toEqual({
      job_id: body.data.job_id,
      brand_id: plan.brand.id,
      status: 'queued',
      trigger: 'manual',
      run_date: new Date().toISOString().slice(0, 10),
      idempotency_key: 'k1',
      units: { total: 5, answered: 0, no_answer: 0, failed: 0 },
      queued_at: expect.any(String),
      started_at: null,
      completed_at: null,
    });
  });
});

describe('400', () => {
  test('validation_error for an invalid id', async () => {
    const plan = planData();
    expect((await getScan(replica.base, plan, 'nonsense')).body.error.code).toBe('validation_error');
  });
});

describe('404', () => {
  test('not_found for an unknown job, one of another brand, or one of another organisation', async () => {
    const plan = harness.registerPlan(planData());
    const { body } = await requestScan(replica.base, plan);
    const other = harness.registerPlan(planData());
    const id = body.data.job_id as string;
    const foreign = await callService(replica.base, {
      path: `/v1/orgs/${plan.org.id}/brands/${plan.brand.id}/scan-requests/${id}`,
      caller: testCaller({ orgId: other.org.id }),
    });
    const responses = [
      await getScan(replica.base, plan, randomUUID()),
      await getScan(replica.base, { ...plan, brand: other.brand }, id),
      foreign,
    ];
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(new Set(responses.map((response) => response.body.error.code))).toEqual(new Set(['not_found']));
  });
});
