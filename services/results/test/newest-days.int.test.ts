import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { operatorDeleteBrandUnits } from '@bv/contract';
import type { EventData, scanScored } from '@bv/events';
import { importLine, jobData, type Prompt, unitData } from './events.ts';
import {
  addBrand,
  importUnits,
  readScoredEvents,
  type Results,
  startResults,
  waitUntilScored,
} from './results.ts';

let results: Results;
beforeAll(async () => {
  results = await startResults();
  await results.serveCatalog();
});
afterAll(() => results.stop());

type Scored = EventData<typeof scanScored>;

/** Adds a brand with one prompt, and a function that scans it. */
async function seed() {
  const { own, prompt } = await addBrand(results);
  let hour = 0;
  /** Scans a day: first position (100), not mentioned (0) or no answer (null). Returns the data of the scored event. */
  const scan = async (runDate: string, score: 100 | 0 | null, country = 'US'): Promise<Scored> => {
    const jobId = randomUUID();
    hour += 1;
    const unit = unitData(prompt, [{ ...own, position: score === 100 ? 1 : null }], {
      job_id: jobId,
      run_date: runDate,
      country,
      finalized_at: `${runDate}T${String(hour).padStart(2, '0')}:00:00Z`,
      ...(score === null && { outcome: 'no_answer' as const, answer_text: null }),
    });
    await results.emitUnit(unit);
    const isAnswered = score !== null;
    const units = { total: 1, answered: Number(isAnswered), no_answer: Number(!isAnswered), failed: 0 };
    await results.emitJob(jobData(own, jobId, { run_date: runDate, units }));
    return waitUntilScored(results, jobId);
  };
  return { own, prompt, scan };
}

/** Imports units of 20 November in the US, in any market. */
const importAll = async (prompt: Prompt, changes: Record<string, unknown>[]) => {
  const day = { country: 'US', run_date: '2026-11-20' };
  const lines = changes.map((change) => importLine(prompt, { ...day, ...change }));
  return (await importUnits(results, lines, 'allow_unknown_markets=true')).data;
};

const toScores = (event: Scored) =>
  event.newest_days?.map(({ country, run_date, score }) => [country, run_date, score.value, score.earlier]);

test('a late scan of an earlier day reports the newest day with its new earlier value', async () => {
  const { scan } = await seed();
  expect(toScores(await scan('2026-11-18', 0))).toEqual([
    [null, '2026-11-18', 0, null],
    ['US', '2026-11-18', 0, null],
  ]);
  expect(toScores(await scan('2026-11-20', 100))).toEqual([
    [null, '2026-11-20', 100, 0],
    ['US', '2026-11-20', 100, 0],
  ]);
  const late = await scan('2026-11-19', 100);
  expect(late.run_date).toBe('2026-11-19');
  expect(late.series[0]?.score).toMatchObject({ value: 100, previous: 0 });
  expect(toScores(late)).toEqual([
    [null, '2026-11-20', 100, 100],
    ['US', '2026-11-20', 100, 100],
  ]);
});

test('the newest day may have no value; the earlier value is from the latest day with a value', async () => {
  const { scan } = await seed();
  await scan('2026-11-18', 0);
  expect(toScores(await scan('2026-11-19', null))?.[0]).toEqual([null, '2026-11-19', null, 0]);
  const third = await scan('2026-11-20', 100);
  expect(third.series[0]?.score).toMatchObject({ value: 100, previous: null });
  expect(toScores(third)?.[0]).toEqual([null, '2026-11-20', 100, 0]);
  expect(third.newest_days?.[0]?.sentiment).toEqual({ value: 50, earlier: null });
});

test('a scan of one market reports the newest day of every market', async () => {
  const { scan } = await seed();
  await scan('2026-11-19', 100, 'DE');
  expect(toScores(await scan('2026-11-20', 0, 'US'))).toEqual([
    [null, '2026-11-20', 0, 100],
    ['DE', '2026-11-19', 100, null],
    ['US', '2026-11-20', 0, null],
  ]);
});

test('an import sends no event; the next scan reports the values it changed', async () => {
  const { own, prompt, scan } = await seed();
  await scan('2026-11-19', 0);
  await scan('2026-11-20', 0);
  const latest = {
    platform: 'chatgpt',
    finalized_at: '2026-11-20T23:00:00Z',
    brands: [{ brand_id: own.id, position: 1, sentiment: 90 }],
  };
  expect(await importAll(prompt, [latest])).toMatchObject({ imported: 1 });
  expect(await readScoredEvents(results, { brandId: own.id })).toHaveLength(2);
  expect(toScores(await scan('2026-11-19', 0))?.[0]).toEqual([null, '2026-11-20', 100, 0]);
});

test('after imports with 1,200 markets a scan is scored, with its own series and the newest other series', async () => {
  const { prompt, scan } = await seed();
  const days = ['2026-11-20', '2026-11-19', '2026-11-19', '2026-11-19'];
  const markets = Array.from({ length: 1_200 }, (_, index) => ({
    country: `${'\u{10000}'.repeat(250)}${1000 + index}`,
    run_date: days[index % 4],
  }));
  expect(await importAll(prompt, markets)).toMatchObject({ imported: 1_200, rejected: [] });
  const scored = await scan('2026-11-18', 100, 'US');
  expect(scored.newest_days).toHaveLength(300);
  const newest = new Map(scored.newest_days?.map(({ country, run_date }) => [country, run_date]));
  expect([newest.get(null), newest.get('US')]).toEqual(['2026-11-20', '2026-11-18']);
  expect([...newest.values()].filter((day) => day === '2026-11-20')).toHaveLength(299);
  const crowded = await scan('2026-11-19', 100, 'US');
  expect(crowded.series).toHaveLength(300);
  expect(crowded.series.map(({ country }) => country)).toEqual(expect.arrayContaining([null, 'US']));
}, 60_000);

test('a day whose imported units were deleted is not the newest day of a series', async () => {
  const { own, prompt, scan } = await seed();
  await scan('2026-11-18', 100);
  await importAll(prompt, [{}, { country: 'DE' }]);
  expect(toScores(await scan('2026-11-18', 100))).toEqual([
    [null, '2026-11-20', 0, 100],
    ['DE', '2026-11-20', 0, null],
    ['US', '2026-11-20', 0, 100],
  ]);
  const deleted = await results.call(operatorDeleteBrandUnits, {
    params: { brandId: own.id },
    body: { from: '2026-11-20', to: '2026-11-20', import_only: true },
  });
  expect(deleted.data).toEqual({ deleted: 2 });
  expect(toScores(await scan('2026-11-18', 100))).toEqual([
    [null, '2026-11-18', 100, null],
    ['US', '2026-11-18', 100, null],
  ]);
});
