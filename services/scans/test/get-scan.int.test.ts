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
    const plan = harness.know(planData({ prompts: 1 }));
    const { body } = await requestScan(replica.base, plan, { key: 'k1' });
    const answer = await getScan(replica.base, plan, body.data.job_id);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({
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
  test('validation_error for an id that is none', async () => {
    const plan = planData();
    expect((await getScan(replica.base, plan, 'nonsense')).body.error.code).toBe('validation_error');
  });
});

describe('404', () => {
  test('not_found for a job that is none, of another brand, or of another organisation', async () => {
    const plan = harness.know(planData());
    const { body } = await requestScan(replica.base, plan);
    const other = harness.know(planData());
    const id = body.data.job_id as string;
    const foreign = await callService(replica.base, {
      path: `/v1/orgs/${plan.org.id}/brands/${plan.brand.id}/scan-requests/${id}`,
      caller: testCaller({ orgId: other.org.id }),
    });
    const answers = [
      await getScan(replica.base, plan, randomUUID()),
      await getScan(replica.base, { ...plan, brand: other.brand }, id),
      foreign,
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(new Set(answers.map((answer) => answer.body.error.code))).toEqual(new Set(['not_found']));
  });
});
