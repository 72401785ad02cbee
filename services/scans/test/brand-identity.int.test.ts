/** Which brands an answer is searched for, when they change while a scan runs. */
import { randomUUID } from 'node:crypto';
import type { ScanPlan } from '@bv/events';
import { eventually } from '@bv/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { competitorData, planData } from './catalog-stub.ts';
import { awaitJob, type Harness, type Replica, simulate, startScans, sumMetric } from './harness.ts';
import { findUnitEvents, queue, useReplicas } from './replicas.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await startScans();
});
afterAll(() => harness.stop());

const start = useReplicas(() => harness);

type Brand = ScanPlan['brand'];

const zephyrix = { name: 'Zephyrix', domain: 'zephyrix.example' };

/** A brand with the competitor Zephyrix. Answers name Contoso and, as another name of Zephyrix, Initrode. */
function registerPlan(prompts = 1, brand: Partial<Brand> = {}) {
  const competitor = { id: randomUUID(), ...zephyrix };
  const plan = planData({
    prompts,
    platforms: ['chatgpt'],
    brand: { competitors: [competitor], ...brand },
  });
  for (const prompt of plan.prompts) prompt.text = prompt.text.replace('Fabrikam', 'Initrode');
  return { plan: harness.registerPlan(plan), competitor };
}

const hold = (after = 0): void => simulate(harness.simulator, { kind: 'hold', after }, ['chatgpt']);
const release = (): void => simulate(harness.simulator, { kind: null }, ['chatgpt']);
const awaitHeld = () => eventually(() => expect(harness.simulator.state.held).toBe(1));

/** Publishes a brand as catalog would and waits until it is stored. */
async function publish(brand: Brand, version: number, change: Partial<Brand> = {}): Promise<void> {
  const changed = { ...brand, ...change };
  harness.registerBrand(changed, version);
  await harness.publishBrand({ brand: changed }, version);
  await eventually(async () => {
    const rows = await harness.query('select 1 from brands where id = $1 and version = $2', [
      brand.id,
      version,
    ]);
    expect(rows).toHaveLength(1);
  });
}

/** Runs a scan of one unit and returns its brands. `change` happens while the platform holds the answer. */
async function scanDuring(plan: ScanPlan, change: () => Promise<unknown>) {
  hold();
  const replica = await start();
  const jobId = await queue(replica, plan);
  await awaitHeld();
  await change();
  release();
  const { status } = await awaitJob(replica, plan, jobId);
  const [unit] = await findUnitEvents(harness, jobId);
  return { status, brands: unit?.data.brands ?? [] };
}

describe('a change while a platform answers', () => {
  test('an alias that a competitor gets counts', async () => {
    const { plan, competitor } = registerPlan();
    const { brands } = await scanDuring(plan, () =>
      publish(competitorData(plan, competitor), 2, { aliases: ['Initrode'] }),
    );
    expect(brands).toMatchObject([
      { name: 'Contoso', mentioned: true },
      { name: 'Zephyrix', mentioned: true },
    ]);
  });

  test('without it the competitor is not mentioned', async () => {
    const { plan } = registerPlan();
    const { brands } = await scanDuring(plan, async () => undefined);
    expect(brands).toMatchObject([
      { name: 'Contoso', mentioned: true, is_own: true },
      { name: 'Zephyrix', mentioned: false, is_own: false },
    ]);
  });

  test('a new name of the own brand counts', async () => {
    const { plan } = registerPlan();
    const { brands } = await scanDuring(plan, () => publish(plan.brand, 2, { name: 'Initrode' }));
    expect(brands[0]).toMatchObject({ name: 'Initrode', mentioned: true });
  });

  test('a competitor that is linked counts, also before its own event arrives', async () => {
    const { plan, competitor } = registerPlan();
    const linked = { id: randomUUID(), name: 'Initrode', domain: 'initrode.example' };
    const { brands } = await scanDuring(plan, () => {
      harness.registerBrand(competitorData(plan, linked));
      return publish(plan.brand, 2, { competitors: [competitor, linked] });
    });
    expect(brands.map(({ name, mentioned }) => [name, mentioned])).toEqual([
      ['Contoso', true],
      ['Zephyrix', false],
      ['Initrode', true],
    ]);
  });

  test('a competitor that is unlinked is not part of the result', async () => {
    const { plan } = registerPlan();
    const { brands } = await scanDuring(plan, () => publish(plan.brand, 2, { competitors: [] }));
    expect(brands.map(({ name }) => name)).toEqual(['Contoso']);
  });

  test('a scan of a brand that is archived continues', async () => {
    const { plan } = registerPlan();
    const archivedAt = new Date().toISOString();
    const { status, brands } = await scanDuring(plan, () =>
      publish(plan.brand, 2, { sunset_at: archivedAt, updated_at: archivedAt }),
    );
    expect(status).toBe('completed');
    expect(brands).toMatchObject([{ name: 'Contoso', mentioned: true }, { name: 'Zephyrix' }]);
  });

  test('it counts from the next unit on, also in another replica', async () => {
    const { plan, competitor } = registerPlan(2);
    hold(1);
    const replicas = [await start({ CHATGPT_CONCURRENCY: '1' }), await start({ CHATGPT_CONCURRENCY: '1' })];
    const jobId = await queue(replicas[0] as Replica, plan);
    await awaitHeld();
    await publish(competitorData(plan, competitor), 2, { aliases: ['Initrode'] });
    release();
    await awaitJob(replicas[0] as Replica, plan, jobId);
    const units = (await findUnitEvents(harness, jobId)).map(({ data }) => data.brands[1]?.mentioned);
    expect(units).toHaveLength(2);
    expect(new Set(units)).toEqual(new Set([false, true]));
  });
});

describe('the projection of brands', () => {
  test('an archived state from catalog cancels the queued scans of the brand, as its event would', async () => {
    const { plan } = registerPlan();
    hold();
    const replica = await start({ CHATGPT_CONCURRENCY: '1' });
    const jobId = await queue(replica, plan);
    await awaitHeld();
    const later = new Date(Date.now() + 86_400_000);
    const tomorrow = await harness.startReplica({ env: { WORKER_CONCURRENCY: '0' }, now: () => later });
    const waitingId = await queue(tomorrow, plan);
    await tomorrow.stop();
    const archivedAt = new Date().toISOString();
    harness.registerBrand({ ...plan.brand, sunset_at: archivedAt, updated_at: archivedAt }, 2);
    release();
    expect(await awaitJob(replica, plan, jobId)).toMatchObject({ status: 'completed' });
    expect(await awaitJob(replica, plan, waitingId)).toMatchObject({ status: 'cancelled' });
  });

  test('it is read once for the units of a scan, and again after a change', async () => {
    const { plan, competitor } = registerPlan(4);
    const replica = await start({ CHATGPT_CONCURRENCY: '1' });
    const reads = () =>
      sumMetric(
        replica.monitoringUrl,
        'bv_db_query_duration_seconds_count',
        'query="scans.list_brand_identities"',
      );
    await awaitJob(replica, plan, await queue(replica, plan));
    expect(await reads()).toBe(1);
    await publish(competitorData(plan, competitor), 2, { aliases: ['Initrode'] });
    await awaitJob(replica, plan, await queue(replica, plan));
    expect(await reads()).toBe(2);
  });
});

describe('the stored brands of a job', () => {
  test('stay small for 250 competitors with the longest names', async () => {
    const replica = await start({ WORKER_CONCURRENCY: '0' });
    const competitors = Array.from({ length: 250 }, (_, index) => ({
      id: randomUUID(),
      name: `${index} ${'名'.repeat(195)}`,
      domain: `${'a'.repeat(60)}.${'b'.repeat(60)}.${index}.example`,
    }));
    const aliases = Array.from({ length: 20 }, (_, index) => `${index} ${'名'.repeat(195)}`);
    const { plan } = registerPlan(1, { competitors, aliases });
    const jobId = await queue(replica, plan);
    const [row] = await harness.query<{ bytes: number; brands: number }>(
      `select octet_length(tracked_brands::text) as bytes, jsonb_array_length(tracked_brands) as brands
       from scan_jobs where id = $1`,
      [jobId],
    );
    expect(row).toMatchObject({ brands: 251 });
    expect(row?.bytes).toBeLessThan(300_000);
  });

  test('replace unknown brands while catalog is frozen, and units do not wait for it one after the other', async () => {
    const { plan } = registerPlan(15);
    const replica = await start({ CHATGPT_CONCURRENCY: '1' });
    await publish(plan.brand, 2, { name: 'Initrode' });
    const releaseBrands = harness.holdBrands();
    const startedAt = performance.now();
    const jobId = await queue(replica, plan);
    const job = await awaitJob(replica, plan, jobId);
    // A request of a brand ends after 2 s. For each unit they would take 30 s.
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    releaseBrands();
    expect(job.status).toBe('completed');
    const names = (await findUnitEvents(harness, jobId)).map(({ data }) =>
      data.brands.map(({ name }) => name),
    );
    expect(names).toEqual(Array.from({ length: 15 }, () => ['Initrode', 'Zephyrix']));
  });

  test('replace brands of which the projection knows nothing while catalog does not respond', async () => {
    const { plan } = registerPlan();
    const { status, brands } = await scanDuring(plan, () => harness.stopCatalog());
    expect(status).toBe('completed');
    expect(brands).toMatchObject([{ name: 'Contoso', mentioned: true }, { name: 'Zephyrix' }]);
  });
});
