import { isDeepStrictEqual } from 'node:util';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { getReprocess, reprocessBrand } from '@bv/contract';
import { applyJudgements, extract } from '@bv/extraction';
import { eventually } from '@bv/testkit';
import fc from 'fast-check';
import { findIdentity } from '../src/worker/identity.ts';
import { checkFigures } from './check-figures.ts';
import type { Brand } from './events.ts';
import type { Line } from './expected-figures.ts';
import {
  anyChange,
  anyIdentityChange,
  type Change,
  countries,
  days,
  platforms,
} from './reprocess-changes.ts';
import { applyChange, createModel, listTracked, type Model } from './reprocess-model.ts';
import { readTokenVersion, type Results, startResults, toBrandParams, waitUntilHandled } from './results.ts';

const catalog: Brand[] = [];
const versions = new Map<string, number>();
let results: Results;
beforeAll(async () => {
  results = await startResults({ env: { REPROCESS_SHARE_PERCENT: '100' } });
  await results.startReplica();
  await results.serveCatalog(catalog, ({ id }) => versions.get(id) ?? 1);
});
afterAll(() => results.stop());

type StoredBrand = {
  brand_id: string;
  mentioned: boolean;
  mention_count: number;
  position: number | null;
  sentiment: number | null;
  cited: boolean;
  evidence: number[] | null;
  means_brand: boolean | null;
};
type StoredUnit = Omit<Line, 'brands'> & {
  answer_text: string | null;
  answer_truncated: boolean;
  mentioned: boolean;
  position: number | null;
  sentiment: number | null;
  cited: boolean;
  brands: StoredBrand[];
  sources: { url: string; domain: string; cited: boolean }[];
};

const readUnits = (own: Brand): Promise<StoredUnit[]> =>
  results.query<StoredUnit>(
    `select id as unit_id, prompt_id, platform, country, run_date::text, outcome, answer_text, answer_truncated,
       mentioned, position, sentiment::float8, cited,
       to_char(finalized_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as finalized_at,
       (select json_agg(b order by b.ordinal) from unit_brands b where b.unit_id = u.id) as brands,
       (select coalesce(json_agg(s order by s.position), '[]') from unit_sources s where s.unit_id = u.id) as sources
     from units u where brand_id = $1 order by id`,
    [own.id],
  );

/** Waits until every event is handled, every day is scored and no job is open. */
async function settle({ own, emitted }: Model): Promise<void> {
  await waitUntilHandled(results, ...emitted.splice(0));
  await eventually(
    async () => {
      const open = `select 1 from reprocess_jobs where brand_id = $1 and status in ('queued', 'running')
        union all select 1 from unscored_days where brand_id = $1
        union all select 1 from scans where brand_id = $1 and scored_at is null`;
      expect(await results.query(open, [own.id])).toEqual([]);
    },
    { timeoutMs: 30_000 },
  );
}

/** The stored units are the only input: the figures are computed from them a second time. */
async function checkStoredFigures({ own, brands }: Model): Promise<StoredUnit[]> {
  const units = await readUnits(own);
  const lines = units.map((unit): Line => ({
    ...unit,
    searched: unit.brands.map(({ brand_id }) => brand_id),
  }));
  const tracked = brands.map(({ id, domain }) => ({ id, host: domain }));
  await checkFigures(results, { own, tracked, activePrompts: 2, days, platforms, countries }, lines);
  for (const { brands: found, ...unit } of units) {
    const { mentioned, position, sentiment, cited } = unit;
    expect(found.find(({ brand_id }) => brand_id === own.id)).toMatchObject({
      mentioned,
      position,
      sentiment,
      cited,
    });
  }
  return units;
}

/** Queues a job over every day. Returns a function that waits until it is completed. */
async function reprocessAll({ own }: Model) {
  const params = toBrandParams(own);
  const body = { from: days[0], to: days.at(-1) };
  const { data: queued } = await results.call(reprocessBrand, { params, body });
  return () =>
    eventually(
      async () => {
        const job = (await results.call(getReprocess, { params: { ...params, jobId: queued.job_id } })).data;
        expect(job.status).toBe('completed');
        return job;
      },
      { timeoutMs: 60_000 },
    );
}

async function readIdentityHash({ own }: Model): Promise<string> {
  const jobs = 'select identity_hash from reprocess_jobs where brand_id = $1 order by queued_at desc limit 1';
  const [job] = await results.query<{ identity_hash: string | null }>(jobs, [own.id]);
  expect(job?.identity_hash).toEqual(expect.any(String));
  return job?.identity_hash ?? '';
}

/**
 * Queues a job, and applies changes after it has begun and before it has stored what it read of its first day. Returns
 * whether the completed job has the identity that is projected then.
 */
async function reprocessDuring(model: Model, change: () => Promise<void>): Promise<boolean> {
  const { own } = model;
  const client = await results.sql.connect();
  try {
    await client.query('begin');
    await client.query('lock table reprocess_units in share mode');
    const waitForJob = await reprocessAll(model);
    await eventually(() => readIdentityHash(model));
    await change();
    await client.query('commit');
    await waitForJob();
  } finally {
    // Also ends the transaction after an error.
    client.release(true);
  }
  await settle(model);
  return (await readIdentityHash(model)) === (await findIdentity(results.sql, own.id)).hash;
}

const isAnswer = ({ outcome, answer_text }: StoredUnit): boolean =>
  outcome === 'answered' && answer_text !== null;

/**
 * Compares the rows of answers without a judgement with a fresh extraction. Truncated answers: only the brands that are
 * found, as others may keep an earlier finding. Returns the number of rows.
 */
function checkRows(units: readonly StoredUnit[], model: Model): number {
  const tracked = listTracked(model);
  let compared = 0;
  for (const unit of units.filter(isAnswer)) {
    if (unit.brands.some(({ means_brand }) => means_brand !== null)) continue;
    const { answer_text: answerText, sources } = unit;
    const found = applyJudgements(extract({ answerText, sources, brands: tracked }), tracked, null).brands;
    const rows = new Map(unit.brands.map((brand) => [brand.brand_id, brand]));
    // The order of competitors that were linked again is not compared.
    expect([...rows.keys()].toSorted()).toEqual(tracked.map(({ id }) => id).toSorted());
    for (const { brandId, mentionCount, evidence, meansBrand: _, ...result } of found) {
      if (unit.answer_truncated && !result.mentioned) continue;
      const { evidence: pairs = null, ...row } = rows.get(brandId) ?? {};
      expect({ ...row, evidence: pairs ?? [] }).toMatchObject({
        ...result,
        mention_count: mentionCount,
        evidence: evidence.flatMap(({ start, end }) => [start, end]),
      });
      compared += 1;
    }
  }
  return compared;
}

/** Begins each change after a pause, whether or not the earlier ones have ended. */
async function applyAll(model: Model, timed: readonly (readonly [Change, number])[]): Promise<void> {
  const begun: Promise<void>[] = [];
  for (const [change, pauseMs] of timed) {
    await delay(pauseMs);
    begun.push(applyChange(model, change));
  }
  await Promise.all(begun);
}

const anyPause = fc.nat({ max: 120 });

test('figures match the stored units after any interleaving; a completed job leaves what an extraction finds', async () => {
  const cases = fc.record({
    changes: fc.array(fc.tuple(anyChange, anyPause), { minLength: 4, maxLength: 24 }),
    identityChanges: fc.array(fc.tuple(anyIdentityChange, anyPause), { maxLength: 4 }),
  });
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(cases, async ({ changes, identityChanges }) => {
      const model = await createModel(results, catalog, versions);
      await settle(model);
      await applyAll(model, changes);
      await settle(model);
      const before = await checkStoredFigures(model);

      const token = await readTokenVersion(results, model.own);
      const answers = before.filter(isAnswer);
      if (answers.length > 0) {
        expect(await reprocessDuring(model, () => applyAll(model, identityChanges))).toBe(true);
        const after = await checkStoredFigures(model);
        compared += checkRows(after, model);
        // Results that differ have another token.
        if (!isDeepStrictEqual(after, before))
          expect(await readTokenVersion(results, model.own)).not.toBe(token);
      }
      const version = await readTokenVersion(results, model.own);
      const { units: counts } = await (await reprocessAll(model))();
      expect(counts).toEqual({ total: answers.length, done: answers.length, changed: 0 });
      expect(await readTokenVersion(results, model.own)).toBe(version);
    }),
    { numRuns: 15, endOnFailure: true },
  );
  expect(compared).toBeGreaterThan(0);
}, 120_000);
