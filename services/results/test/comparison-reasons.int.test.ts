import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { compareScores, getPrecision } from '@bv/contract';
import { addBrandWithUnits, toQuery, createUnit } from './check-windows.ts';
import { type Brand, brandData, jobData, promptData, unitData } from './events.ts';
import {
  addToCatalog,
  type Results,
  startResults,
  toBrandParams,
  waitUntilHandled,
  waitUntilScored,
} from './results.ts';
import { toDay } from './unit-history.ts';

let results: Results;
beforeAll(async () => {
  // Today is 2026-11-21.
  results = await startResults();
  await results.serveCatalog();
});
afterAll(() => results.stop());

const compare = async (brand: Brand, query: Record<string, string> = {}) =>
  (await results.call(compareScores, { params: toBrandParams(brand), query: toQuery(query) })).data;

test('competitors_changed: a competitor that is tracked in one week only lowers position and share', async () => {
  // The same answers in both weeks: the new competitor comes first in each.
  const brand = await addBrandWithUnits(results, 6, (promptIds) =>
    Array.from({ length: 14 }, (_, day) => toDay('2026-11-08', day)).flatMap((runDate) =>
      promptIds.map((promptId, prompt) =>
        createUnit(promptId, runDate, {
          position: runDate < '2026-11-15' ? 1 + (prompt % 2) : 2 + (prompt % 2),
          sentiment: 80,
          competitors: runDate < '2026-11-15' ? prompt % 2 : 1 + (prompt % 2),
        }),
      ),
    ),
  );
  const [before, after] = [brand.units.slice(0, 42), brand.units.slice(42)];
  await brand.importUnits(before);
  const rival = brandData({ org_id: brand.own.org_id, is_own: false, name: 'd.com', domain: 'd.com' });
  const { id, name, domain } = rival;
  await addToCatalog(results, { brands: [rival], prompts: [] });
  const linked = { ...brand.own, competitors: [...brand.own.competitors, { id, name, domain }] };
  await waitUntilHandled(results, await results.emitBrand(linked, 2));
  await brand.importUnits(after);
  for (const metric of ['score', 'share_of_voice']) {
    const data = await compare(brand.own, { metric });
    expect(data).toMatchObject({ verdict: 'not_comparable', reasons: ['competitors_changed'] });
    // Without the reason, the verdict would be `down`.
    expect(data.difference!.high).toBeLessThan(0);
  }
  expect(await compare(brand.own, { metric: 'mention_rate' })).toMatchObject({
    verdict: 'no_evidence',
    reasons: [],
  });
  const { difference } = await compare(brand.own, { confidence: '0.8' });
  expect(difference!.confidence).toBe(0.8);
  expect(difference!.high).toBeLessThan((await compare(brand.own)).difference!.high);
});

test('incomplete: more than 20 % of the units that pass the filters failed', async () => {
  const own = brandData();
  const prompts = Array.from({ length: 10 }, () => promptData(own));
  await addToCatalog(results, { brands: [own], prompts });
  const addScan = async (run_date: string, failed: number): Promise<void> => {
    const job_id = randomUUID();
    for (const [index, prompt] of prompts.entries()) {
      for (const platform of ['chatgpt', 'gemini'] as const) {
        if (platform === 'chatgpt' && index < failed) continue;
        await results.emitUnit(unitData(prompt, [{ ...own, position: 1 }], { job_id, run_date, platform }));
      }
    }
    const [country, total] = ['US', 10];
    const units_by_market = [
      { country, platform: 'chatgpt' as const, total, failed },
      { country, platform: 'gemini' as const, total, failed: 0 },
    ];
    const units = { total: 20, answered: 20 - failed, no_answer: 0, failed };
    const status = failed === 0 ? 'completed' : 'partial';
    await results.emitJob(jobData(own, job_id, { status, run_date, units, units_by_market }));
    await waitUntilScored(results, job_id);
  };
  await addScan('2026-11-12', 0);
  await addScan('2026-11-19', 4);
  expect(await compare(own)).toMatchObject({
    a: { units_failed: 0 },
    b: { units_failed: 4 },
    verdict: 'no_evidence',
    reasons: ['partial_run'],
  });
  expect(await compare(own, { platform: 'chatgpt' })).toMatchObject({
    b: { units: 6, units_failed: 4 },
    verdict: 'not_comparable',
    reasons: ['incomplete', 'partial_run', 'prompt_set_changed'],
  });
  expect(await compare(own, { platform: 'gemini', country: 'US' })).toMatchObject({
    b: { units: 10, units_failed: 0 },
    verdict: 'no_evidence',
    reasons: [],
  });
  const readReasons = async (query: { platform?: string } = {}): Promise<string[]> =>
    (await results.call(getPrecision, { params: toBrandParams(own), query })).data.grade_reasons;
  expect(await readReasons()).toContain('partial_runs');
  expect(await readReasons({ platform: 'gemini' })).not.toContain('partial_runs');
  // A scan that failed has no answers, and one of an older version says nothing of markets and platforms.
  const units = { total: 5, answered: 0, no_answer: 0, failed: 5 };
  const failedJob = jobData(own, randomUUID(), { status: 'failed', run_date: '2026-11-20', units });
  await waitUntilHandled(results, await results.emitJob(failedJob));
  expect(await compare(own)).toMatchObject({ b: { units_failed: 9 }, verdict: 'not_comparable' });
  expect((await compare(own, { platform: 'gemini' })).b.units_failed).toBe(0);
});
