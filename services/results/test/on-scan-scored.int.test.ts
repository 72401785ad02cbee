import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { jobChanged, unitFinalised } from '@bv/events';
import { eventually } from '@bv/testkit';
import { emitRivals, type Harness, jobData, startResults, unitData } from './harness.ts';

let results: Harness;
beforeAll(async () => {
  results = await startResults({ now: () => new Date('2026-11-21T12:00:00Z') });
});
afterAll(() => results.stop());

/** An own brand with one competitor and one prompt, projected by the service. */
async function seed() {
  const { own, rival: competitor, prompt } = await emitRivals(results);
  await eventually(async () => {
    expect(await results.query('select id from prompts where id = $1', [prompt.id])).toHaveLength(1);
    expect(
      await results.query('select id from brands where id = any($1)', [[own.id, competitor.id]]),
    ).toHaveLength(2);
  });
  return { own, competitor, prompt };
}

const findOutboxRows = (type: string, aggregateId: string) =>
  results.query<{ envelope: { data: Record<string, unknown> } }>(
    'select envelope from outbox where type = $1 and aggregate_id = $2',
    [type, aggregateId],
  );

describe('a scan that ends', () => {
  test.each([['units first'], ['end of the job first']])(
    'is scored once when complete: %s',
    async (order) => {
      const { own, competitor, prompt } = await seed();
      const jobId = randomUUID();
      const units = [
        unitData(
          prompt,
          [
            { ...own, position: 1, sentiment: 80, cited: true },
            { ...competitor, position: 2 },
          ],
          { job_id: jobId },
        ),
        unitData(
          prompt,
          [
            { ...own, position: null },
            { ...competitor, position: 1 },
          ],
          { job_id: jobId, country: 'DE' },
        ),
        unitData(
          prompt,
          [
            { ...own, position: null },
            { ...competitor, position: null },
          ],
          {
            job_id: jobId,
            platform: 'ai_overviews',
            outcome: 'no_answer',
            answer_text: null,
          },
        ),
      ];
      const job = jobData(own, jobId, {
        units: { total: 3, answered: 2, no_answer: 1, failed: 0 },
        countries: ['DE', 'US'],
      });
      const emitUnits = async () => {
        for (const unit of units) await results.emit(unitFinalised, unit.unit_id, 1, unit);
      };
      if (order === 'units first') await emitUnits();
      await results.emit(jobChanged, jobId, 2, job);
      if (order !== 'units first') await emitUnits();

      await eventually(async () =>
        expect(await findOutboxRows('results.scan.scored.v1', jobId)).toHaveLength(1),
      );
      const scores = await results.get(own.org_id, `/orgs/${own.org_id}/brands/${own.id}/scores`);
      expect(scores.body.data).toMatchObject([
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
      const us = await results.get(own.org_id, `/orgs/${own.org_id}/brands/${own.id}/scores?country=us`);
      expect(us.body.data).toMatchObject([
        { country: 'US', score: 100, share_of_voice: 50, units_answered: 1 },
      ]);
      const share = await results.get(own.org_id, `/orgs/${own.org_id}/brands/${own.id}/share-of-voice`);
      expect(share.body.data).toMatchObject([
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
      const [scored] = await findOutboxRows('results.scan.scored.v1', jobId);
      expect(scored?.envelope.data).toMatchObject({
        job_id: jobId,
        status: 'completed',
        brand: { id: own.id, name: 'Acme' },
        series: [
          { country: null, score: { value: 50, previous: null } },
          { country: 'DE' },
          { country: 'US' },
        ],
      });
    },
  );

  test('marks in method_version each series with sentiments of the LLM judge', async () => {
    const { own, competitor, prompt } = await seed();
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
    for (const unit of units) await results.emit(unitFinalised, unit.unit_id, 1, unit);
    await results.emit(
      jobChanged,
      jobId,
      2,
      jobData(own, jobId, { units: { total: 4, answered: 4, no_answer: 0, failed: 0 } }),
    );
    await eventually(async () =>
      expect(await findOutboxRows('results.scan.scored.v1', jobId)).toHaveLength(1),
    );
    const getMethodVersion = async (query: string) => {
      const path = `/orgs/${own.org_id}/brands/${own.id}/scores${query}`;
      return (await results.get(own.org_id, path)).body.data[0].method_version as string;
    };
    expect(await getMethodVersion('')).toBe('2+llm');
    expect(await getMethodVersion('?country=US')).toBe('2+llm');
    for (const country of ['DE', 'FR', 'GB']) expect(await getMethodVersion(`?country=${country}`)).toBe('2');
  });

  test('counts a unit that arrives twice once', async () => {
    const { own, prompt } = await seed();
    const unit = unitData(prompt, [{ ...own, position: 1 }]);
    await results.emit(unitFinalised, unit.unit_id, 1, unit);
    await results.emit(unitFinalised, unit.unit_id, 1, unit);
    const other = unitData(prompt, [{ ...own, position: 1 }], { job_id: unit.job_id });
    await results.emit(unitFinalised, other.unit_id, 1, other);
    await eventually(async () => {
      const mentions = await results.get(own.org_id, `/orgs/${own.org_id}/brands/${own.id}/mentions`);
      expect(mentions.body.data).toHaveLength(2);
    });
  });

  test('a unit that arrives after its scan was scored is in the scores; the scan event is not published again', async () => {
    const { own, prompt } = await seed();
    const jobId = randomUUID();
    const send = async (country: string, position: number | null) => {
      const unit = unitData(prompt, [{ ...own, position }], { job_id: jobId, country });
      await results.emit(unitFinalised, unit.unit_id, 1, unit);
    };
    await send('US', 1);
    await results.emit(jobChanged, jobId, 2, jobData(own, jobId));
    await eventually(async () =>
      expect(await findOutboxRows('results.scan.scored.v1', jobId)).toHaveLength(1),
    );
    await send('DE', null);
    await eventually(async () => {
      const { body } = await results.get(own.org_id, `/orgs/${own.org_id}/brands/${own.id}/scores`);
      expect(body.data).toMatchObject([{ score: 50, units_answered: 2 }]);
    });
    expect(await findOutboxRows('results.scan.scored.v1', jobId)).toHaveLength(1);
  });

  test('a second scan of the day recomputes the row; a late scan of an earlier day updates the next day', async () => {
    const { own, prompt } = await seed();
    const scan = async (runDate: string, position: number | null, finalized_at: string) => {
      const jobId = randomUUID();
      const unit = unitData(prompt, [{ ...own, position }], {
        job_id: jobId,
        run_date: runDate,
        finalized_at,
      });
      await results.emit(unitFinalised, unit.unit_id, 1, unit);
      await results.emit(jobChanged, jobId, 2, jobData(own, jobId, { run_date: runDate }));
      await eventually(async () =>
        expect(await findOutboxRows('results.scan.scored.v1', jobId)).toHaveLength(1),
      );
    };
    const read = async () => {
      const response = await results.get(own.org_id, `/orgs/${own.org_id}/brands/${own.id}/scores`);
      return (
        response.body.data as { run_date: string; score: number; previous_score: number; change: number }[]
      ).map(({ run_date, score, previous_score, change }) => [run_date, score, previous_score, change]);
    };
    await scan('2026-11-20', null, '2026-11-20T08:00:00Z');
    expect(await read()).toEqual([['2026-11-20', 0, null, null]]);
    await scan('2026-11-20', 1, '2026-11-20T18:00:00Z');
    expect(await read()).toEqual([['2026-11-20', 100, null, null]]);
    await scan('2026-11-18', 2, '2026-11-18T08:00:00Z');
    expect(await read()).toEqual([
      ['2026-11-20', 100, 90.91, 9.09],
      ['2026-11-18', 90.91, null, null],
    ]);
  });
});

describe('a second scan of the day', () => {
  type Share = { brand_id: string; share_of_voice: number; rank: number };

  test('removes the shares of a competitor that its answers no longer track, and of replaced answers', async () => {
    const { own, competitor, prompt } = await seed();
    const scan = async (hour: string, found: Parameters<typeof unitData>[1], outcome = 'answered') => {
      const jobId = randomUUID();
      const unit = unitData(prompt, found, {
        job_id: jobId,
        finalized_at: `2026-11-20T${hour}:00:00Z`,
        outcome: outcome as 'answered',
      });
      await results.emit(unitFinalised, unit.unit_id, 1, unit);
      const units = { total: 1, answered: 1, no_answer: 0, failed: 0 };
      await results.emit(jobChanged, jobId, 2, jobData(own, jobId, { units }));
      await eventually(async () =>
        expect(await findOutboxRows('results.scan.scored.v1', jobId)).toHaveLength(1),
      );
      const { body } = await results.get(own.org_id, `/orgs/${own.org_id}/brands/${own.id}/share-of-voice`);
      return (body.data as Share[]).map((row) => [row.brand_id, row.share_of_voice, row.rank]);
    };
    const both = await scan('08', [
      { ...own, position: 2 },
      { ...competitor, position: 1 },
    ]);
    expect(new Map(both.map(([id, share]) => [id, share]))).toEqual(
      new Map([
        [own.id, 50],
        [competitor.id, 50],
      ]),
    );
    expect(await scan('09', [{ ...own, position: 1 }])).toEqual([[own.id, 100, 1]]);
    expect(await scan('10', [{ ...own, position: null }], 'no_answer')).toEqual([]);
    const scores = await results.get(own.org_id, `/orgs/${own.org_id}/brands/${own.id}/scores`);
    expect(scores.body.data).toMatchObject([
      { score: null, share_of_voice: null, units_total: 1, units_answered: 0, mention_rate_low: null },
    ]);
  });
});
