import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  brandChanged,
  type EventData,
  findBrandRpc,
  findPromptRpc,
  jobChanged,
  promptChanged,
  type RpcServer,
  type scanScored,
  serveRpc,
  unitFinalised,
} from '@bv/events';
import { eventually, testCaller } from '@bv/testkit';
import {
  brandData,
  type Harness,
  jobData,
  knows,
  log,
  promptData,
  serveMarkets,
  startResults,
  unitData,
} from './harness.ts';

let results: Harness;
let catalog: RpcServer[];
beforeAll(async () => {
  results = await startResults({ now: () => new Date('2026-11-21T12:00:00Z') });
  catalog = [findBrandRpc, findPromptRpc].map((rpc) =>
    serveRpc(results.connection, rpc, async () => null, { queue: 'catalog', log }),
  );
  catalog.push(serveMarkets(results));
});
afterAll(async () => {
  await Promise.all(catalog.map((server) => server.stop()));
  await results.stop();
});

type Scored = EventData<typeof scanScored>;

/** A brand with one prompt, both projected by the service. */
async function newBrand() {
  const own = brandData();
  const prompt = promptData(own);
  await results.emit(brandChanged, own.id, 1, own);
  await results.emit(promptChanged, prompt.id, 1, prompt);
  await knows(results, { brands: [own], prompts: [prompt] });
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
    await results.emit(unitFinalised, unit.unit_id, 1, unit);
    const units = {
      total: 1,
      answered: Number(score !== null),
      no_answer: Number(score === null),
      failed: 0,
    };
    await results.emit(jobChanged, jobId, 2, jobData(own, jobId, { run_date: runDate, units }));
    const [row] = await eventually(async () => {
      const rows = await results.query<{ envelope: { data: Scored } }>(
        "select envelope from outbox where type = 'results.scan.scored.v1' and aggregate_id = $1",
        [jobId],
      );
      expect(rows).toHaveLength(1);
      return rows;
    });
    return (row as { envelope: { data: Scored } }).envelope.data;
  };
  return { own, prompt, scan };
}

const operator = testCaller({ orgId: null, owner: { kind: 'operator', id: 'operator' } });
const importLines = async (lines: object[]) => {
  const { body } = await results.call({
    method: 'POST',
    path: '/operator/v1/results/import?allow_unknown_markets=true',
    caller: operator,
    body: lines.map((line) => JSON.stringify(line)).join('\n'),
    headers: { 'content-type': 'application/x-ndjson' },
  });
  return body.data;
};
const importLine = (prompt: { id: string; brand_id: string }, change: Record<string, unknown> = {}) => ({
  unit_id: randomUUID(),
  brand_id: prompt.brand_id,
  prompt_id: prompt.id,
  platform: 'chatgpt',
  country: 'US',
  run_date: '2026-11-20',
  outcome: 'answered',
  brands: [],
  sources: [],
  ...change,
});

const toScores = (event: Scored) =>
  event.newest_days?.map(({ country, run_date, score }) => [country, run_date, score.value, score.earlier]);

test('a late scan of an earlier day reports the newest day with its new earlier value', async () => {
  const { scan } = await newBrand();
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
  const { scan } = await newBrand();
  await scan('2026-11-18', 0);
  expect(toScores(await scan('2026-11-19', null))?.[0]).toEqual([null, '2026-11-19', null, 0]);
  const third = await scan('2026-11-20', 100);
  expect(third.series[0]?.score).toMatchObject({ value: 100, previous: null });
  expect(toScores(third)?.[0]).toEqual([null, '2026-11-20', 100, 0]);
  expect(third.newest_days?.[0]?.sentiment).toEqual({ value: 50, earlier: null });
});

test('a scan of one market reports the newest day of every market', async () => {
  const { scan } = await newBrand();
  await scan('2026-11-19', 100, 'DE');
  expect(toScores(await scan('2026-11-20', 0, 'US'))).toEqual([
    [null, '2026-11-20', 0, 100],
    ['DE', '2026-11-19', 100, null],
    ['US', '2026-11-20', 0, null],
  ]);
});

test('an import sends no event; the next scan reports the values it changed', async () => {
  const { own, prompt, scan } = await newBrand();
  await scan('2026-11-19', 0);
  await scan('2026-11-20', 0);
  const line = {
    ...importLine(prompt),
    finalized_at: '2026-11-20T23:00:00Z',
    brands: [{ brand_id: own.id, position: 1, sentiment: 90 }],
  };
  expect(await importLines([line])).toMatchObject({ imported: 1 });
  const scored = await results.query(
    "select 1 from outbox where type = 'results.scan.scored.v1' and envelope #>> '{data,brand_id}' = $1",
    [own.id],
  );
  expect(scored).toHaveLength(2);
  expect(toScores(await scan('2026-11-19', 0))?.[0]).toEqual([null, '2026-11-20', 100, 0]);
});

test('after imports with 1,200 markets a scan is scored, with its own series and the newest other series', async () => {
  const { prompt, scan } = await newBrand();
  const market = (index: number) => `${'\u{10000}'.repeat(250)}${1000 + index}`;
  const lines = Array.from({ length: 1_200 }, (_, index) =>
    importLine(prompt, { country: market(index), run_date: index % 4 === 0 ? '2026-11-20' : '2026-11-19' }),
  );
  expect(await importLines(lines)).toMatchObject({ imported: 1_200, rejected: [] });
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
  const { own, prompt, scan } = await newBrand();
  await scan('2026-11-18', 100);
  await importLines([importLine(prompt), importLine(prompt, { country: 'DE' })]);
  expect(toScores(await scan('2026-11-18', 100))).toEqual([
    [null, '2026-11-20', 0, 100],
    ['DE', '2026-11-20', 0, null],
    ['US', '2026-11-20', 0, 100],
  ]);
  const { body } = await results.call({
    method: 'POST',
    path: `/operator/v1/brands/${own.id}/units/delete`,
    caller: operator,
    body: JSON.stringify({ from: '2026-11-20', to: '2026-11-20', import_only: true }),
    headers: { 'content-type': 'application/json' },
  });
  expect(body.data).toEqual({ deleted: 2 });
  expect(toScores(await scan('2026-11-18', 100))).toEqual([
    [null, '2026-11-18', 100, null],
    ['US', '2026-11-18', 100, null],
  ]);
});
