import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { brandChanged, jobChanged, promptChanged, unitFinalised } from '@bv/events';
import { eventually } from '@bv/testkit';
import { brandData, type Harness, jobData, promptData, startResults, unitData } from './harness.ts';

let results: Harness;
beforeAll(async () => {
  results = await startResults({ now: () => new Date('2026-11-21T12:00:00Z') });
  await results.startReplica();
});
afterAll(() => results.stop());

const shuffle = <T>(items: T[]): T[] =>
  items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);

test('two processes handle units, job ends and duplicates in any order: each scan is scored once, no token is lost', async () => {
  const brands = Array.from({ length: 4 }, () => brandData());
  for (const brand of brands) await results.emit(brandChanged, brand.id, 1, brand);
  const prompts = brands.map((brand) => promptData(brand));
  for (const prompt of prompts) await results.emit(promptChanged, prompt.id, 1, prompt);
  const emits: (() => Promise<unknown>)[] = [];
  const jobIds: string[] = [];
  for (const [index, brand] of brands.entries()) {
    const prompt = prompts[index];
    if (prompt === undefined) throw new Error('a prompt for each brand');
    for (let scan = 0; scan < 6; scan += 1) {
      const jobId = randomUUID();
      jobIds.push(jobId);
      for (let unit = 0; unit < 15; unit += 1) {
        const data = unitData(prompt, [{ ...brand, position: 1 }], { job_id: jobId, country: `C${unit}` });
        emits.push(() => results.emit(unitFinalised, data.unit_id, 1, data));
        // The same unit with another message id, as from two scan workers that leased it one after the other.
        if (unit % 5 === 0) emits.push(() => results.emit(unitFinalised, data.unit_id, 1, data));
      }
      const units = { total: 15, answered: 15, no_answer: 0, failed: 0 };
      const running = jobData(brand, jobId, { status: 'running', completed_at: null, units });
      emits.push(() => results.emit(jobChanged, jobId, 2, running));
      emits.push(() => results.emit(jobChanged, jobId, 3, jobData(brand, jobId, { units })));
    }
  }
  await Promise.all(shuffle(emits).map((emit) => emit()));

  await eventually(
    async () => {
      expect(await results.query('select 1 from scans where scored_at is not null')).toHaveLength(24);
      expect(await results.query('select 1 from units')).toHaveLength(24 * 15);
    },
    { timeoutMs: 60_000 },
  );
  expect(await results.query('select error from dead_events')).toEqual([]);
  expect(await results.query('select 1 from brand_tokens where finalising_until is not null')).toEqual([]);
  const scored = await results.query<{ aggregate_id: string }>(
    "select aggregate_id from outbox where type = 'results.scan.scored.v1'",
  );
  expect(scored.map((row) => row.aggregate_id).toSorted()).toEqual(jobIds.toSorted());

  // Every version of the token was published once, with increasing times. The last one is stored.
  for (const brand of brands) {
    const published = await results.query<{ version: string; changed_at: string }>(
      `select version, envelope -> 'data' ->> 'changed_at' as changed_at from outbox
       where type = 'results.brand.changed.v1' and aggregate_id = $1 order by version`,
      [brand.id],
    );
    expect(published.map((row) => Number(row.version))).toEqual(published.map((_, index) => index + 1));
    const times = published.map((row) => row.changed_at);
    expect(times).toEqual([...new Set(times)].toSorted());
    const summary = await results.get(brand.org_id, `/orgs/${brand.org_id}/brands/summary`);
    expect(summary.body.data).toMatchObject([
      { id: brand.id, changed_at: times.at(-1), scan_in_progress: false, score: 100 },
    ]);
  }
}, 90_000);

test('a scan that arrives before the event of its brand is scored once that event arrives', async () => {
  const brand = brandData();
  const prompt = promptData(brand);
  const jobId = randomUUID();
  const unit = unitData(prompt, [{ ...brand, position: 1 }], { job_id: jobId });
  await results.emit(unitFinalised, unit.unit_id, 1, unit);
  await results.emit(jobChanged, jobId, 2, jobData(brand, jobId));
  await eventually(async () => {
    const [unit] = await results.query('select 1 from units where job_id = $1', [jobId]);
    const [scan] = await results.query('select 1 from scans where job_id = $1', [jobId]);
    expect([unit, scan].some((row) => row !== undefined)).toBe(true);
  });
  await results.emit(brandChanged, brand.id, 1, brand);
  await eventually(
    async () =>
      expect(
        await results.query('select 1 from scans where job_id = $1 and scored_at is not null', [jobId]),
      ).toHaveLength(1),
    { timeoutMs: 60_000 },
  );
});

test('an older version of a job or a brand that arrives late changes nothing', async () => {
  const brand = brandData({ name: 'New name' });
  const jobId = randomUUID();
  const failed = { total: 1, answered: 0, no_answer: 0, failed: 1 };
  await results.emit(brandChanged, brand.id, 5, brand);
  await results.emit(jobChanged, jobId, 3, jobData(brand, jobId, { status: 'failed', units: failed }));
  await eventually(async () => {
    expect(await results.query('select 1 from scans where job_id = $1', [jobId])).toHaveLength(1);
    expect(await results.query('select 1 from brands where id = $1', [brand.id])).toHaveLength(1);
  });
  await results.emit(jobChanged, jobId, 2, jobData(brand, jobId, { status: 'running', completed_at: null }));
  await results.emit(brandChanged, brand.id, 4, {
    ...brand,
    name: 'Old name',
    sunset_at: '2026-11-01T00:00:00Z',
  });
  const marker = brandData();
  await results.emit(brandChanged, marker.id, 1, marker);
  await eventually(async () =>
    expect(await results.query('select 1 from brands where id = $1', [marker.id])).toHaveLength(1),
  );
  const { body } = await results.get(brand.org_id, `/orgs/${brand.org_id}/brands/summary`);
  expect(body.data).toMatchObject([
    { name: 'New name', last_scan_status: 'failed', scan_in_progress: false, score: null },
  ]);
});
