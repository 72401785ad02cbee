import { randomUUID } from 'node:crypto';
import { operatorCountBrandUnits } from '@bv/contract';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { importLine, jobData, unitData } from './events.ts';
import {
  addBrandWithCompetitor,
  importUnits,
  type Results,
  startResults,
  waitUntilScored,
} from './results.ts';

let results: Results;
let brands: Awaited<ReturnType<typeof addBrandWithCompetitor>>;
beforeAll(async () => {
  results = await startResults();
  await results.serveCatalog();
  brands = await addBrandWithCompetitor(results);
});
afterAll(() => results.stop());

const count = (query: string, brandId: string = brands.own.id) =>
  results.call(operatorCountBrandUnits, { params: { brandId }, query });

test('200: units of imports and of scans, both ends of the window included', async () => {
  const { own, prompt } = brands;
  const days = ['2026-11-10', '2026-11-11', '2026-11-12', '2026-11-13'];
  await importUnits(
    results,
    days.map((run_date) => importLine(prompt, { run_date })),
  );
  const job_id = randomUUID();
  await results.emitUnit(unitData(prompt, [{ ...own, position: 1 }], { job_id, run_date: '2026-11-12' }));
  await results.emitJob(jobData(own, job_id, { run_date: '2026-11-12' }));
  await waitUntilScored(results, job_id);
  expect((await count('from=2026-11-11&to=2026-11-12')).data).toEqual({ imported: 2, scanned: 1 });
  expect((await count('from=2026-11-13&to=2026-11-30')).data).toEqual({ imported: 1, scanned: 0 });
});

test('400 for a window that is none, 400 own_brand_only for a competitor, 404 not_found', async () => {
  const window = 'from=2026-11-01&to=2026-11-20';
  for (const query of ['from=2026-11-02&to=2026-11-01', 'from=2026-11-02', 'from=2020-01-01&to=2026-01-01'])
    expect((await count(query)).refusal).toMatchObject({ status: 400, code: 'validation_error' });
  const competitor = await count(window, brands.competitor.id);
  expect(competitor.error.details).toEqual([expect.objectContaining({ code: 'own_brand_only' })]);
  expect((await count(window, randomUUID())).refusal.code).toBe('not_found');
});
