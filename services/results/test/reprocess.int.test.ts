import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { currentMethodVersion, listScores } from '@bv/contract';
import { hashSearchedBrands } from '../src/domain/searched-brands.ts';
import { importLine } from './events.ts';
import {
  addTrackedBrands,
  importLines,
  readFigures,
  readResults,
  reprocess,
  storeUnits,
  unreadUnit,
} from './reprocess.ts';
import { readTokenVersion, type Results, startResults, toBrandParams } from './results.ts';

let results: Results;
beforeAll(async () => {
  results = await startResults({ env: { REPROCESS_SHARE_PERCENT: '100' } });
});
afterAll(() => results.stop());

const cited = (domain: string) => ({
  position: 1,
  url: `https://${domain}/`,
  domain,
  title: null,
  cited: true,
});

test('stored answers are read with the current brands: rows, scores, shares and sources agree', async () => {
  const tracked = await addTrackedBrands(results);
  const { own, rival, prompt } = tracked;
  const both = 'Acme is good. Rival is bad.';
  await storeUnits(results, tracked, [
    unreadUnit(tracked, { answer_text: both, sources: [cited('acme.com')], sources_unresolved: 1 }),
    unreadUnit(tracked, { answer_text: 'Rival alone.', country: 'DE', sources_unresolved: 2 }),
    unreadUnit(tracked, { answer_text: 'Nothing.', country: 'FR' }),
    unreadUnit(tracked, { answer_text: both, run_date: '2026-11-18' }),
  ]);
  const job = await reprocess(results, own);
  expect(job).toMatchObject({ status: 'completed', units: { total: 4, done: 4, changed: 3 } });
  expect(Date.parse(job.started_at!)).toBeGreaterThanOrEqual(Date.parse(job.queued_at));
  expect(Date.parse(job.completed_at!)).toBeGreaterThanOrEqual(Date.parse(job.started_at!));

  const figures = await readFigures(results, tracked);
  expect(
    figures.results.map(({ run_date, country, mentioned, position, cited: isCited, brands }) => ({
      run_date,
      country,
      mentioned,
      position,
      isCited,
      brands: brands.map((brand) => [brand.name, brand.position, brand.evidence]),
    })),
  ).toEqual(
    expect.arrayContaining([
      {
        run_date: '2026-11-20',
        country: 'US',
        mentioned: true,
        position: 1,
        isCited: true,
        brands: [
          ['Acme', 1, [{ start: 0, end: 4 }]],
          ['Rival', 2, [{ start: 14, end: 19 }]],
        ],
      },
      {
        run_date: '2026-11-20',
        country: 'DE',
        mentioned: false,
        position: null,
        isCited: false,
        brands: [
          ['Acme', null, []],
          ['Rival', 1, [{ start: 0, end: 5 }]],
        ],
      },
    ]),
  );
  expect(figures.mentions.filter(({ mentioned }) => mentioned)).toHaveLength(2);
  expect(figures.scores).toMatchObject([
    {
      run_date: '2026-11-20',
      mention_rate: 33.33,
      units_mentioned: 1,
      citation_rate: 50,
      units_citations_unknown: 1,
      method_version: currentMethodVersion,
    },
    { run_date: '2026-11-18', mention_rate: 100, units_mentioned: 1 },
  ]);
  expect(figures.shares).toMatchObject([
    { run_date: '2026-11-20', brand_id: rival.id, mentions: 2, share_of_voice: 66.67, rank: 1 },
    { run_date: '2026-11-20', brand_id: own.id, mentions: 1, share_of_voice: 33.33, rank: 2 },
    { run_date: '2026-11-18', mentions: 1, rank: 1 },
    { run_date: '2026-11-18', mentions: 1, rank: 1 },
  ]);
  expect(figures.sources).toMatchObject([
    { domain: 'acme.com', mentioned_rate: 100, units_answered: 4, citation_rate: 33.33 },
  ]);
  expect(prompt.brand_id).toBe(own.id);
  const searched = 'select distinct unnest(searched_brands) as hash from cell_days where brand_id = $1';
  expect(await results.query(searched, [own.id])).toEqual([{ hash: hashSearchedBrands([rival.id, own.id]) }]);
});

test('a competitor that is found only now makes a gap of the cited domain', async () => {
  const tracked = await addTrackedBrands(results);
  await storeUnits(results, tracked, [
    unreadUnit(tracked, { answer_text: 'Rival alone.', sources: [cited('forum.com')] }),
  ]);
  await reprocess(results, tracked.own);
  const { sources } = await readFigures(results, tracked);
  expect(sources).toMatchObject([{ domain: 'forum.com', units_with_competitor: 1, units_gap: 1 }]);
});

test('a second job changes nothing: neither rows nor the change token', async () => {
  const tracked = await addTrackedBrands(results);
  await storeUnits(results, tracked, [unreadUnit(tracked), unreadUnit(tracked, { run_date: '2026-11-19' })]);
  await reprocess(results, tracked.own);
  const [version, figures] = [
    await readTokenVersion(results, tracked.own),
    await readFigures(results, tracked),
  ];
  expect(await reprocess(results, tracked.own)).toMatchObject({ units: { total: 2, done: 2, changed: 0 } });
  expect(await readTokenVersion(results, tracked.own)).toBe(version);
  expect(await readFigures(results, tracked)).toEqual(figures);
});

test('the window limits what is read, at both ends', async () => {
  const tracked = await addTrackedBrands(results);
  const days = ['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19'];
  await storeUnits(
    results,
    tracked,
    days.map((run_date) => unreadUnit(tracked, { run_date })),
  );
  const job = await reprocess(results, tracked.own, { from: '2026-11-17', to: '2026-11-18' });
  expect(job.units).toEqual({ total: 2, done: 2, changed: 2 });
  const scores = await results.call(listScores, { params: toBrandParams(tracked.own) });
  expect(scores.data.map(({ run_date, mention_rate }) => [run_date, mention_rate])).toEqual([
    ['2026-11-19', 0],
    ['2026-11-18', 100],
    ['2026-11-17', 100],
    ['2026-11-16', 0],
  ]);
});

test('a brand without results is completed at once', async () => {
  const { own } = await addTrackedBrands(results);
  expect(await reprocess(results, own)).toMatchObject({ units: { total: 0, done: 0, changed: 0 } });
  expect(await readTokenVersion(results, own)).toBe(0);
});

test('many batches of a day are replaced', async () => {
  const tracked = await addTrackedBrands(results);
  const lines = Array.from({ length: 450 }, (_, index) =>
    importLine(tracked.prompt, { answer_text: index % 2 === 0 ? 'Acme is good.' : 'Nothing.' }),
  );
  await importLines(results, tracked, lines);
  expect((await reprocess(results, tracked.own)).units).toEqual({ total: 450, done: 450, changed: 225 });
}, 60_000);

describe('units that keep rows', () => {
  test('a unit without a stored text, and a unit without an answer', async () => {
    const tracked = await addTrackedBrands(results);
    const { own, prompt } = tracked;
    const found = [{ brand_id: own.id, position: 1, sentiment: 12 }];
    await importLines(results, tracked, [
      importLine(prompt, { brands: found }),
      importLine(prompt, { outcome: 'no_answer', answer_text: 'Acme', country: 'US' }),
    ]);
    const before = await readFigures(results, tracked);
    expect((await reprocess(results, own)).units).toEqual({ total: 0, done: 0, changed: 0 });
    expect(await readFigures(results, tracked)).toEqual(before);
  });

  test('an imported unit with a text is read; a truncated one keeps what its text does not show', async () => {
    const tracked = await addTrackedBrands(results);
    const { own, rival, prompt } = tracked;
    const found = [
      { brand_id: own.id, position: 1, sentiment: 12 },
      { brand_id: rival.id, position: 2, sentiment: 34 },
    ];
    await importLines(results, tracked, [
      importLine(prompt, { brands: found, answer_text: 'Rival is good.' }),
      importLine(prompt, {
        brands: found,
        answer_text: `Rival is good. ${'x '.repeat(20_000)} Acme`,
        country: 'US',
      }),
    ]);
    expect((await reprocess(results, own)).units.changed).toBe(2);
    const rows = await readResults(results, prompt);
    const brandsIn = (market: string) => rows.find(({ country }) => country === market)!.brands;
    expect(brandsIn('DE')).toMatchObject([
      { mentioned: false, position: null, sentiment: null, evidence: [] },
      { mentioned: true, position: 1, evidence: [{ start: 0, end: 5 }] },
    ]);
    expect(brandsIn('US')).toMatchObject([
      { mentioned: true, position: 2, sentiment: 12, mention_count: 1, evidence: [] },
      { mentioned: true, position: 1, evidence: [{ start: 0, end: 5 }] },
    ]);
  });
});

test('a day of an older method is scored again, although no row changes', async () => {
  const tracked = await addTrackedBrands(results);
  const { own } = tracked;
  await storeUnits(results, tracked, [unreadUnit(tracked)]);
  await reprocess(results, own);
  await results.query(`update scores set method_version = '3+llm', score = 1 where brand_id = $1`, [own.id]);
  const version = await readTokenVersion(results, own);
  expect((await reprocess(results, own)).units.changed).toBe(0);
  expect(await readTokenVersion(results, own)).toBe(version + 1);
  expect((await readFigures(results, tracked)).scores).toMatchObject([
    { method_version: currentMethodVersion, score: 100 },
  ]);
});

test('the change token moves once for each replaced day, and nothing else is published', async () => {
  const tracked = await addTrackedBrands(results);
  const { own } = tracked;
  const days = ['2026-11-17', '2026-11-18', '2026-11-19'];
  await storeUnits(
    results,
    tracked,
    days.flatMap((run_date) => ['DE', 'US'].map((country) => unreadUnit(tracked, { run_date, country }))),
  );
  const version = await readTokenVersion(results, own);
  await reprocess(results, own);
  expect(await readTokenVersion(results, own)).toBe(version + days.length);
  const events = await results.query<{ type: string }>(
    `select type from outbox where envelope #>> '{data,brand_id}' = $1 and version > $2`,
    [own.id, version],
  );
  expect(events.map(({ type }) => type)).toEqual(days.map(() => 'results.brand.changed.v1'));
});
