import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { getScanPreview } from '@bv/contract';
import type { ScanPlan } from '@bv/events';
import { planData } from './catalog-stub.ts';
import { type Harness, type Replica, requestScan, startScans } from './harness.ts';

let harness: Harness;
let replica: Replica;
const prices = { CHATGPT_PRICE_PER_ANSWER_USD: '0.02', GEMINI_PRICE_PER_ANSWER_USD: '0' };

beforeAll(async () => {
  harness = await startScans();
  // Only a worker has the prices.
  await (await harness.startReplica({ env: prices })).stop();
  replica = await harness.startReplica({
    env: { WORKER_CONCURRENCY: '0' },
    now: () => new Date('2026-11-20T12:00:00Z'),
  });
});
afterAll(async () => {
  await replica.stop();
  await harness.stop();
});

const preview = async ({ org, brand }: ScanPlan) =>
  (await replica.call(getScanPreview, { params: { orgId: org.id, brandId: brand.id } })).data;

test('units, prices and the allowance of the scan that would be queued; nothing is written', async () => {
  const plan = harness.registerPlan(
    planData({ prompts: 3, countries: ['DE', 'US'], platforms: ['gemini', 'chatgpt'], manualScans: 2 }),
  );
  expect(await preview(plan)).toEqual({
    units: 12,
    prompts: 3,
    platforms: [
      { platform: 'chatgpt', units: 6, price_usd: 0.02, cost_usd: 0.12 },
      { platform: 'gemini', units: 6, price_usd: 0, cost_usd: 0 },
    ],
    cost_usd: 0.12,
    allowance: { manual_scans_remaining: 2, scan_credits: 0 },
    would_refuse: null,
  });
  expect(await harness.query('select from scan_jobs where brand_id = $1', [plan.brand.id])).toEqual([]);
  expect(await harness.query('select from org_allowances where org_id = $1', [plan.org.id])).toEqual([]);
});

test('without the price of a platform its cost and the total are null', async () => {
  const { cost_usd, platforms } = await preview(
    harness.registerPlan(planData({ platforms: ['claude', 'gemini'], countries: ['US'], prompts: 1 })),
  );
  expect(cost_usd).toBeNull();
  expect(platforms).toEqual([
    { platform: 'claude', units: 1, price_usd: null, cost_usd: null },
    { platform: 'gemini', units: 1, price_usd: 0, cost_usd: 0 },
  ]);
});

test('an allowance of last month counts as unused', async () => {
  const plan = harness.registerPlan(planData({ manualScans: 2 }));
  await harness.query(
    `insert into org_allowances (org_id, month, used, credits) values ($1, '2026-10-01', 2, 5)`,
    [plan.org.id],
  );
  expect((await preview(plan)).allowance).toEqual({ manual_scans_remaining: 2, scan_credits: 5 });
});

const queued = async (plan: ScanPlan): Promise<ScanPlan> => {
  expect((await requestScan(replica, plan)).status).toBe(202);
  return plan;
};
const used = async (plan: ScanPlan): Promise<ScanPlan> => {
  await queued(plan);
  await harness.query(`update scan_jobs set status = 'completed' where brand_id = $1`, [plan.brand.id]);
  return plan;
};

test.each<[string, () => ScanPlan, ((plan: ScanPlan) => Promise<ScanPlan>)?]>([
  ['tier_not_entitled', () => planData({ onDemandScans: false, archived: true })],
  ['brand_archived', () => planData({ prompts: 0, archived: true })],
  ['no_active_prompts', () => planData({ prompts: 0 })],
  ['scan_already_queued', () => planData({ manualScans: 1 }), queued],
  ['no_manual_scans', () => planData({ manualScans: 1 }), used],
])('would_refuse %s, as the request after it', async (code, toPlan, prepare = async (plan) => plan) => {
  const plan = await prepare(harness.registerPlan(toPlan()));
  expect((await preview(plan)).would_refuse).toBe(code);
  expect((await requestScan(replica, plan)).error.code).toBe(code);
});
