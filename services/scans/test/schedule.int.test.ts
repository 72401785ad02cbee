import { jobChanged, orgChanged, type ScanPlan } from '@bv/events';
import { eventually } from '@bv/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { slotSecond } from '../src/domain/calendar.ts';
import { planData } from './catalog-stub.ts';
import { awaitStatements, type Harness, type Replica, requestScan, startScans } from './harness.ts';

let harness: Harness;
let replicas: Replica[] = [];
const day = '2026-11-20';
const lastSecond = new Date(`${day}T23:59:59Z`);
const scheduling = { WORKER_CONCURRENCY: '0', SCHEDULE_INTERVAL_MS: '50' };

beforeAll(async () => {
  harness = await startScans();
});

afterAll(() => harness.stop());

afterEach(async () => {
  await Promise.all(replicas.map((replica) => replica.stop()));
  replicas = [];
  await harness.query('delete from scan_units');
  await harness.query('delete from scan_jobs');
  await harness.query('delete from schedule_runs');
  await harness.query('delete from brands');
});

async function start(now: () => Date, env: Record<string, string> = scheduling): Promise<Replica> {
  const replica = await harness.startReplica({ env, now });
  replicas.push(replica);
  return replica;
}

/** Waits for a whole run of the schedule: the third listing of due brands follows a run that began after this call. */
const awaitRun = ({ monitoringUrl }: Replica): Promise<void> =>
  awaitStatements(monitoringUrl, 'scans.list_brands_due', 3);

/** Publishes brands and waits until the service has stored them. */
async function publishBrands(plans: ScanPlan[], change: Partial<ScanPlan['brand']> = {}): Promise<void> {
  const idle = await start(() => lastSecond, { WORKER_CONCURRENCY: '0' });
  for (const plan of plans) await harness.publishBrand(harness.registerPlan(plan), 1, change);
  await eventually(async () => {
    expect(await harness.query('select 1 from brands')).toHaveLength(plans.length);
  });
  await idle.stop();
}

type Run = { brand_id: string; run_date: string };
const runs = () => harness.query<Run>('select brand_id, run_date::text from schedule_runs');
const jobs = () =>
  harness.query<Run & { trigger: string; charged: string }>(
    'select brand_id, run_date::text, trigger, charged from scan_jobs',
  );

describe('the daily schedule', () => {
  test('three replicas queue every active brand once a day, also when they start after an outage', async () => {
    const plans = Array.from({ length: 20 }, () => planData({ prompts: 1, manualScans: 0 }));
    await publishBrands(plans);
    await Promise.all([start(() => lastSecond), start(() => lastSecond), start(() => lastSecond)]);
    await eventually(async () => expect(await runs()).toHaveLength(20), { timeoutMs: 20_000 });
    const queued = await jobs();
    expect(queued.map((job) => job.brand_id).toSorted()).toEqual(
      plans.map(({ brand }) => brand.id).toSorted(),
    );
    for (const job of queued)
      expect(job).toMatchObject({ run_date: day, trigger: 'scheduled', charged: 'none' });
    const published = await harness.listPublished(jobChanged);
    expect(published.filter(({ data }) => data.trigger === 'scheduled')).toHaveLength(20);
  });

  test('it runs again on the next day', async () => {
    await publishBrands([planData({ prompts: 1 })]);
    let now = lastSecond;
    await start(() => now);
    await eventually(async () => expect(await jobs()).toHaveLength(1));
    now = new Date('2026-11-21T23:59:59Z');
    await eventually(async () => expect(await jobs()).toHaveLength(2));
    expect((await jobs()).map((job) => job.run_date).toSorted()).toEqual([day, '2026-11-21']);
  });

  test('a brand waits for its second of the day', async () => {
    // The second of a random id can be 0. A millisecond earlier is the day before, which has a scan.
    const plan = planData({ prompts: 1, brand: { id: '9c1f6a52-3b0d-4e57-8f6e-2d7a1c4b9e03' } });
    await publishBrands([plan]);
    const slot = Date.parse(`${day}T00:00:00Z`) + slotSecond(plan.brand.id) * 1_000;
    let now = new Date(slot - 1);
    const replica = await start(() => now);
    await awaitRun(replica);
    expect(await runs()).toEqual([]);
    now = new Date(slot);
    await eventually(async () => expect(await jobs()).toHaveLength(1));
  });

  test('a brand created after its second waits for tomorrow', async () => {
    const plan = planData({ prompts: 1 });
    const slot = Date.parse(`${day}T00:00:00Z`) + slotSecond(plan.brand.id) * 1_000;
    await publishBrands([plan], { created_at: new Date(slot).toISOString() });
    let now = lastSecond;
    const replica = await start(() => now);
    await awaitRun(replica);
    expect(await runs()).toEqual([]);
    now = new Date('2026-11-21T23:59:59Z');
    await eventually(async () => expect(await jobs()).toHaveLength(1));
  });

  test('a brand archived at its second is scanned once when it is restored on the same day', async () => {
    const plan = planData({ prompts: 1 });
    const archive = { sunset_at: lastSecond.toISOString() };
    await publishBrands([plan], archive);
    const replica = await start(() => lastSecond);
    await awaitRun(replica);
    expect(await runs()).toEqual([]);
    await harness.publishBrand(plan, 2);
    await eventually(async () => expect(await jobs()).toHaveLength(1));
    await harness.query(`update scan_jobs set status = 'completed', completed_at = now()`);
    for (const [version, change] of [[3, archive] as const, [4, {}] as const]) {
      await harness.publishBrand(plan, version, change);
      await eventually(async () => {
        const [row] = await harness.query<{ version: string }>('select version from brands');
        expect(Number(row?.version)).toBe(version);
      });
    }
    await awaitRun(replica);
    expect(await jobs()).toHaveLength(1);
  });

  test('without an active prompt, or with an open scan, the day is skipped', async () => {
    const idle = planData({ prompts: 0 });
    const busy = planData({ prompts: 1 });
    await publishBrands([idle, busy]);
    const api = await start(() => lastSecond, { WORKER_CONCURRENCY: '0' });
    expect((await requestScan(api, busy)).status).toBe(202);
    await start(() => lastSecond);
    await eventually(async () => expect(await runs()).toHaveLength(2));
    expect(await jobs()).toMatchObject([{ brand_id: busy.brand.id, trigger: 'manual' }]);
  });

  test('archived brands, competitors and brands of deleted organisations are not scanned', async () => {
    const archived = planData({ archived: true });
    const competitor = planData({ brand: { is_own: false, competitors: [] } });
    const ofDeletedOrg = planData();
    await publishBrands([archived, competitor, ofDeletedOrg]);
    const api = await start(() => lastSecond, { WORKER_CONCURRENCY: '0' });
    const deleted = { ...ofDeletedOrg.org, deleted_at: lastSecond.toISOString() };
    await harness.emit(orgChanged, ofDeletedOrg.org.id, 2, deleted);
    await eventually(async () => {
      expect(await harness.query('select 1 from orgs where deleted_at is not null')).toHaveLength(1);
    });
    await api.stop();
    const replica = await start(() => lastSecond);
    await awaitRun(replica);
    expect(await runs()).toEqual([]);
  });

  test('the brand stays due while catalog does not respond', async () => {
    await publishBrands([planData({ prompts: 1 })]);
    await harness.stopCatalog();
    const replica = await start(() => lastSecond);
    await awaitRun(replica);
    expect(await runs()).toEqual([]);
  });
});
