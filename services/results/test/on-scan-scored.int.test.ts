import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { listMentions, listScores, listShareOfVoice, methodVersions } from '@bv/contract';
import { type Brand, jobData, type Unit, unitData } from './events.ts';
import {
  addBrandWithCompetitor,
  readScoredEvents,
  type Results,
  startResults,
  toBrandParams,
  waitUntilHandled,
  waitUntilScored,
} from './results.ts';

let results: Results;
beforeAll(async () => {
  results = await startResults();
});
afterAll(() => results.stop());

const readScores = async (own: Brand, query = '') =>
  (await results.call(listScores, { params: toBrandParams(own), query })).data;
const readShares = async (own: Brand) =>
  (await results.call(listShareOfVoice, { params: toBrandParams(own) })).data;

describe('a scan that ends', () => {
  test.each([['units first'], ['end of the job first']])(
    'is scored once when complete: %s',
    async (order) => {
      const { own, competitor, prompt } = await addBrandWithCompetitor(results);
      const jobId = randomUUID();
      const found = (ownPosition: number | null, competitorPosition: number | null) => [
        { ...own, position: ownPosition, sentiment: 80, cited: ownPosition !== null },
        { ...competitor, position: competitorPosition },
      ];
      const units = [
        unitData(prompt, found(1, 2), { job_id: jobId }),
        unitData(prompt, found(null, 1), { job_id: jobId, country: 'DE' }),
        unitData(prompt, found(null, null), {
          job_id: jobId,
          platform: 'ai_overviews',
          outcome: 'no_answer',
          answer_text: null,
        }),
      ];
      const job = jobData(own, jobId, {
        units: { total: 3, answered: 2, no_answer: 1, failed: 0 },
        countries: ['DE', 'US'],
      });
      const emits = [
        async () => {
          for (const unit of units) await results.emitUnit(unit);
        },
        async () => {
          await results.emitJob(job);
        },
      ];
      for (const emit of order === 'units first' ? emits : emits.toReversed()) await emit();

      expect(await waitUntilScored(results, jobId)).toMatchObject({
        job_id: jobId,
        status: 'completed',
        brand: { id: own.id, name: 'Acme' },
        series: [
          { country: null, score: { value: 50, previous: null } },
          { country: 'DE' },
          { country: 'US' },
        ],
      });
      expect(await readScores(own)).toMatchObject([
        {
          run_date: '2026-11-20',
          country: null,
          score: 50,
          previous_score: null,
          change: null,
          mention_rate: 50,
          average_position: 1,
          sentiment: 80,
          citation_rate: 50,
          share_of_voice: 33.33,
          units_total: 3,
          units_answered: 2,
          units_mentioned: 1,
          units_cited: 1,
          platforms: [
            { platform: 'ai_overviews', score: null, mention_rate: null, units_answered: 0 },
            { platform: 'chatgpt', score: 50, mention_rate: 50, units_answered: 2 },
          ],
        },
      ]);
      expect(await readScores(own, 'country=us')).toMatchObject([
        { country: 'US', score: 100, share_of_voice: 50, units_answered: 1 },
      ]);
      expect(await readShares(own)).toMatchObject([
        {
          brand_id: competitor.id,
          rank: 1,
          share_of_voice: 66.67,
          mentions: 2,
          total_mentions: 3,
          mention_rate: 100,
          average_position: 1.5,
        },
        { brand_id: own.id, rank: 2, share_of_voice: 33.33, mentions: 1, is_own: true },
      ]);
    },
  );

  test('marks in method_version each series with sentiments of the LLM judge', async () => {
    const { own, competitor, prompt } = await addBrandWithCompetitor(results);
    const jobId = randomUUID();
    const found = (position: number | null) => [
      { ...own, position },
      { ...competitor, position: null },
    ];
    const units = [
      unitData(prompt, found(1), { job_id: jobId, country: 'US', sentiment_method: 'llm' }),
      unitData(prompt, found(1), { job_id: jobId, country: 'DE', sentiment_method: 'lexicon' }),
      // The LLM judge rated another brand only: the own brand is not mentioned.
      unitData(prompt, found(null), { job_id: jobId, country: 'FR', sentiment_method: 'llm' }),
      unitData(prompt, found(1), { job_id: jobId, country: 'GB' }),
    ];
    for (const unit of units) await results.emitUnit(unit);
    await results.emitJob(jobData(own, jobId, { units: { total: 4, answered: 4, no_answer: 0, failed: 0 } }));
    await waitUntilScored(results, jobId);
    const newest = methodVersions[0].method_version;
    expect(await readScores(own)).toMatchObject([{ method_version: `${newest}+llm` }]);
    expect(await readScores(own, 'country=US')).toMatchObject([{ method_version: `${newest}+llm` }]);
    for (const country of ['DE', 'FR', 'GB']) {
      expect(await readScores(own, `country=${country}`)).toMatchObject([{ method_version: newest }]);
    }
  });

  test('counts a unit that arrives twice once', async () => {
    const { own, prompt } = await addBrandWithCompetitor(results);
    const unit = unitData(prompt, [{ ...own, position: 1 }]);
    const other = unitData(prompt, [{ ...own, position: 1 }], { job_id: unit.job_id });
    await waitUntilHandled(
      results,
      await results.emitUnit(unit),
      await results.emitUnit(unit),
      await results.emitUnit(other),
    );
    expect((await results.call(listMentions, { params: toBrandParams(own) })).data).toHaveLength(2);
  });

  test('a unit that arrives after its scan was scored is in the scores; the scan event is not published again', async () => {
    const { own, prompt } = await addBrandWithCompetitor(results);
    const jobId = randomUUID();
    const emitUnit = (country: string, position: number | null) =>
      results.emitUnit(unitData(prompt, [{ ...own, position }], { job_id: jobId, country }));
    await emitUnit('US', 1);
    await results.emitJob(jobData(own, jobId));
    await waitUntilScored(results, jobId);
    await waitUntilHandled(results, await emitUnit('DE', null));
    expect(await readScores(own)).toMatchObject([{ score: 50, units_answered: 2 }]);
    expect(await readScoredEvents(results, { jobId })).toHaveLength(1);
  });

  test('a second scan of the day recomputes the row; a late scan of an earlier day updates the next day', async () => {
    const { own, prompt } = await addBrandWithCompetitor(results);
    const scan = async (run_date: string, position: number | null, finalized_at: string) => {
      const job_id = randomUUID();
      await results.emitUnit(unitData(prompt, [{ ...own, position }], { job_id, run_date, finalized_at }));
      await results.emitJob(jobData(own, job_id, { run_date }));
      await waitUntilScored(results, job_id);
      const rows = await readScores(own);
      return rows.map((row) => [row.run_date, row.score, row.previous_score, row.change]);
    };
    expect(await scan('2026-11-20', null, '2026-11-20T08:00:00Z')).toEqual([['2026-11-20', 0, null, null]]);
    expect(await scan('2026-11-20', 1, '2026-11-20T18:00:00Z')).toEqual([['2026-11-20', 100, null, null]]);
    expect(await scan('2026-11-18', 2, '2026-11-18T08:00:00Z')).toEqual([
      ['2026-11-20', 100, 90.91, 9.09],
      ['2026-11-18', 90.91, null, null],
    ]);
  });
});

describe('a second scan of the day', () => {
  test('removes the shares of a competitor that its answers no longer track, and of replaced answers', async () => {
    const { own, competitor, prompt } = await addBrandWithCompetitor(results);
    const scan = async (
      hour: string,
      found: Parameters<typeof unitData>[1],
      outcome: Unit['outcome'] = 'answered',
    ) => {
      const job_id = randomUUID();
      const finalized_at = `2026-11-20T${hour}:00:00Z`;
      await results.emitUnit(unitData(prompt, found, { job_id, finalized_at, outcome }));
      await results.emitJob(jobData(own, job_id));
      await waitUntilScored(results, job_id);
      return (await readShares(own)).map((row) => [row.brand_id, row.share_of_voice, row.rank]);
    };
    const both = await scan('08', [
      { ...own, position: 2 },
      { ...competitor, position: 1 },
    ]);
    expect(both).toHaveLength(2);
    expect(both).toEqual(
      expect.arrayContaining([
        [own.id, 50, 1],
        [competitor.id, 50, 1],
      ]),
    );
    expect(await scan('09', [{ ...own, position: 1 }])).toEqual([[own.id, 100, 1]]);
    expect(await scan('10', [{ ...own, position: null }], 'no_answer')).toEqual([]);
    expect(await readScores(own)).toMatchObject([
      { score: null, share_of_voice: null, units_total: 1, units_answered: 0, mention_rate_low: null },
    ]);
  });
});
