import { randomUUID } from 'node:crypto';
import { operatorAddScanCredits, operatorRunScan } from '@bv/contract';
import { publishedHeader, readPublished } from '@bv/http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { planData } from './catalog-stub.ts';
import { type Harness, type Replica, startScans } from './harness.ts';

let harness: Harness;
let replica: Replica;

beforeAll(async () => {
  harness = await startScans();
  replica = await harness.startReplica({ env: { WORKER_CONCURRENCY: '0' } });
});

afterAll(async () => {
  await replica.stop();
  await harness.stop();
});

const addCredits = (orgId: string, amount: unknown) =>
  replica.call(operatorAddScanCredits, { params: { orgId }, body: { amount } });
const runScan = (brandId: string) => replica.call(operatorRunScan, { params: { brandId } });

describe('operatorAddScanCredits', () => {
  test('201 adds credits', async () => {
    const plan = harness.registerPlan(planData());
    expect((await addCredits(plan.org.id, 5)).data).toEqual({ scan_credits: 5 });
    const { status, data } = await addCredits(plan.org.id, 7);
    expect([status, data.scan_credits]).toEqual([201, 12]);
  });

  test('parallel additions are all counted', async () => {
    const plan = harness.registerPlan(planData());
    await Promise.all(Array.from({ length: 10 }, () => addCredits(plan.org.id, 3)));
    expect((await addCredits(plan.org.id, 1)).data.scan_credits).toBe(31);
  });

  test('validation_error for an invalid amount and for more than the maximum balance', async () => {
    const plan = harness.registerPlan(planData());
    for (const amount of [0, 1_000_001, 1.5, '3', null]) {
      expect((await addCredits(plan.org.id, amount)).error.code).toBe('validation_error');
    }
    await addCredits(plan.org.id, 1);
    await harness.query('update org_allowances set credits = 1999999999 where org_id = $1', [plan.org.id]);
    const { refusal } = await addCredits(plan.org.id, 1_000_000);
    expect(refusal).toMatchObject({ status: 400, details: [{ path: 'amount' }] });
  });

  test('not_found for an unknown or deleted organisation', async () => {
    const plan = planData();
    harness.registerPlan({ ...plan, org: { ...plan.org, deleted_at: new Date().toISOString() } });
    for (const id of [randomUUID(), plan.org.id]) {
      const { status, error } = await addCredits(id, 1);
      expect([status, error.code]).toEqual([404, 'not_found']);
    }
  });
});

describe('operatorRunScan', () => {
  test('201 queues a scheduled scan without a charge', async () => {
    const plan = harness.registerPlan(planData({ manualScans: 0, onDemandScans: false }));
    const { status, headers, data } = await runScan(plan.brand.id);
    expect(status).toBe(201);
    expect(data).toMatchObject({ status: 'queued', trigger: 'scheduled', brand_id: plan.brand.id });
    expect(readPublished(headers.get(publishedHeader) ?? undefined)).toHaveLength(1);
    expect(await harness.query('select 1 from org_allowances where org_id = $1', [plan.org.id])).toEqual([]);
    const again = await runScan(plan.brand.id);
    expect(again.refusal).toMatchObject({ status: 409, details: { job_id: data.job_id } });
  });

  test('scan_already_queued while a scan is open', async () => {
    const plan = harness.registerPlan(planData());
    await runScan(plan.brand.id);
    expect((await runScan(plan.brand.id)).error.code).toBe('scan_already_queued');
  });

  test('brand_archived and no_active_prompts', async () => {
    const archived = harness.registerPlan(planData({ archived: true }));
    const idle = harness.registerPlan(planData({ prompts: 0 }));
    expect((await runScan(archived.brand.id)).error.code).toBe('brand_archived');
    expect((await runScan(idle.brand.id)).error.code).toBe('no_active_prompts');
  });

  test('not_found for an unknown brand; validation_error for a competitor', async () => {
    expect((await runScan(randomUUID())).error.code).toBe('not_found');
    const competitor = harness.registerPlan(planData({ brand: { is_own: false, competitors: [] } }));
    expect((await runScan(competitor.brand.id)).error.details).toMatchObject([{ code: 'own_brand_only' }]);
  });
});

describe('catalog unavailable', () => {
  test('api_unavailable while catalog does not respond', async () => {
    const plan = harness.registerPlan(planData());
    await harness.stopCatalog();
    for (const response of [await runScan(plan.brand.id), await addCredits(plan.org.id, 1)]) {
      expect([response.status, response.error.code]).toEqual([503, 'api_unavailable']);
    }
  });
});
