import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { listBrandSummaries } from '@bv/contract';
import { eventually } from '@bv/testkit';
import { brandData, jobData, promptData, unitData } from './events.ts';
import { addBrand, type Results, startResults, waitUntilHandled, waitUntilScored } from './results.ts';

let results: Results;
beforeAll(async () => {
  results = await startResults();
  await results.startReplica();
});
afterAll(() => results.stop());

const shuffle = <T>(items: T[]): T[] =>
  items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);

test('two processes handle units, job ends and duplicates in any order: each scan is scored once, no token is lost', async () => {
  const brands = await Promise.all(Array.from({ length: 4 }, () => addBrand(results)));
  const emits: (() => Promise<unknown>)[] = [];
  const jobIds: string[] = [];
  for (const { own, prompt } of brands) {
    for (let scan = 0; scan < 6; scan += 1) {
      const jobId = randomUUID();
      jobIds.push(jobId);
      const scanUnits = Array.from({ length: 15 }, (_, index) =>
        unitData(prompt, [{ ...own, position: 1 }], { job_id: jobId, country: `C${index}` }),
      );
      // Some units again with another message id, as from two scan workers that leased them one after the other.
      const repeated = scanUnits.filter((_, index) => index % 5 === 0);
      for (const unit of [...scanUnits, ...repeated]) emits.push(() => results.emitUnit(unit));
      const units = { total: 15, answered: 15, no_answer: 0, failed: 0 };
      const running = jobData(own, jobId, { status: 'running', completed_at: null, units });
      emits.push(() => results.emitJob(running));
      emits.push(() => results.emitJob(jobData(own, jobId, { units }), 3));
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
  expect(await results.query('select error from dead_letter_events')).toEqual([]);
  expect(await results.query('select 1 from brand_tokens where finalising_until is not null')).toEqual([]);
  const scored = await results.query<{ aggregate_id: string }>(
    "select aggregate_id from outbox where type = 'results.scan.scored.v1'",
  );
  expect(scored.map((row) => row.aggregate_id).toSorted()).toEqual(jobIds.toSorted());

  // Every version of the token was published once, with increasing times. The last one is stored.
  for (const { own } of brands) {
    const published = await results.query<{ version: string; changed_at: string }>(
      `select version, envelope -> 'data' ->> 'changed_at' as changed_at from outbox
       where type = 'results.brand.changed.v1' and aggregate_id = $1 order by version`,
      [own.id],
    );
    expect(published.map((row) => Number(row.version))).toEqual(published.map((_, index) => index + 1));
    const times = published.map((row) => row.changed_at);
    expect(times).toEqual([...new Set(times)].toSorted());
    const summary = await results.call(listBrandSummaries, { params: { orgId: own.org_id } });
    expect(summary.data).toMatchObject([
      { id: own.id, changed_at: times.at(-1), scan_in_progress: false, score: 100 },
    ]);
  }
}, 90_000);

test('a scan that arrives before the event of its brand is scored once that event arrives', async () => {
  const brand = brandData();
  const jobId = randomUUID();
  await results.emitUnit(unitData(promptData(brand), [{ ...brand, position: 1 }], { job_id: jobId }));
  await results.emitJob(jobData(brand, jobId));
  const received = 'select 1 from units where job_id = $1 union all select 1 from scans where job_id = $1';
  await eventually(async () => expect(await results.query(received, [jobId])).not.toEqual([]));
  await results.emitBrand(brand);
  const scored = await waitUntilScored(results, jobId, { timeoutMs: 60_000 });
  expect(scored.brand.id).toBe(brand.id);
}, 90_000);

test('an older version of a job or a brand that arrives late changes nothing', async () => {
  const brand = brandData({ name: 'New name' });
  const jobId = randomUUID();
  const failed = { total: 1, answered: 0, no_answer: 0, failed: 1 };
  await waitUntilHandled(
    results,
    await results.emitBrand(brand, 5),
    await results.emitJob(jobData(brand, jobId, { status: 'failed', units: failed }), 3),
  );
  await waitUntilHandled(
    results,
    await results.emitJob(jobData(brand, jobId, { status: 'running', completed_at: null }), 2),
    await results.emitBrand({ ...brand, name: 'Old name', sunset_at: '2026-11-01T00:00:00Z' }, 4),
  );
  const summary = await results.call(listBrandSummaries, { params: { orgId: brand.org_id } });
  expect(summary.data).toMatchObject([
    { name: 'New name', last_scan_status: 'failed', scan_in_progress: false, score: null },
  ]);
});
