import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  compareScores,
  listMentions,
  listPromptResults,
  listScores,
  operatorCountBrandUnits,
  operatorDeleteBrandUnits,
} from '@bv/contract';
import type { RpcServer } from '@bv/events';
import { transaction } from '@bv/postgres';
import { updateKeptDays } from '../src/db/retention.ts';
import { createServicePool } from './check-windows.ts';
import { importLine, jobData } from './events.ts';
import {
  addTrackedBrands,
  importLines,
  readFigures,
  reprocess,
  storeUnits,
  type Tracked,
  unreadUnit,
} from './reprocess.ts';
import {
  importUnits,
  readTokenVersion,
  type Results,
  startResults,
  toBrandParams,
  toPromptParams,
  waitUntilHandled,
} from './results.ts';
import { endRetention, serveOrgs } from './retention.ts';

let results: Results;
let orgs: RpcServer;
let tracked: Tracked;
beforeAll(async () => {
  results = await startResults({ env: { REPROCESS_SHARE_PERCENT: '100' } });
  orgs = await serveOrgs(results);
});
afterAll(async () => {
  await orgs.stop();
  await results.stop();
});

const days = ['2026-11-08', '2026-11-09', '2026-11-12', '2026-11-20'];
const text = 'Acme is good. Rival is bad.';
const unit = (run_date: string, overrides: object = {}) =>
  unreadUnit(tracked, {
    run_date,
    answer_text: text,
    sources: [{ position: 1, url: 'https://x.org/', domain: 'x.org', title: null, cited: true }],
    ...overrides,
  });

beforeEach(async () => {
  tracked = await addTrackedBrands(results);
  await storeUnits(
    results,
    tracked,
    days.flatMap((run_date) => [unit(run_date), unit(run_date, { country: 'DE', answer_truncated: true })]),
  );
  // Answers are read, so that the brands have evidence.
  await reprocess(results, tracked.own);
});

const brandParams = () => toBrandParams(tracked.own);
const window = 'from=2026-10-01&to=2026-11-21';
const readDays = (rows: readonly { run_date: string }[]): string[] => [
  ...new Set(rows.map(({ run_date }) => run_date)),
];
/** What the retention keeps. */
async function readKept() {
  const { scores, shares, sources } = await readFigures(results, tracked);
  const compared = 'from_a=2026-11-08&to_a=2026-11-09&from_b=2026-11-12&to_b=2026-11-20';
  return {
    scores,
    shares,
    sources,
    windows: (await results.call(listScores, { params: brandParams(), query: `${window}&window=7d` })).data,
    comparison: (await results.call(compareScores, { params: brandParams(), query: compared })).data,
  };
}
const countRows = async (): Promise<number[]> => {
  const ofBrand = 'unit_id in (select id from units where brand_id = $1)';
  const [row] = await results.query<{ counts: number[] }>(
    `select array[(select count(*) from units where brand_id = $1), (select count(*) from unit_brands where ${ofBrand}),
       (select count(*) from unit_sources where ${ofBrand})]::int[] as counts`,
    [tracked.own.id],
  );
  return row?.counts ?? [];
};

describe('units', () => {
  test('are gone from lists and tables after their days, with one move of the token; figures stay', async () => {
    const [kept, version] = [await readKept(), await readTokenVersion(results, tracked.own)];
    expect(kept.scores).toHaveLength(4);
    expect(await countRows()).toEqual([8, 16, 8]);
    const firstPage = await results.call(listMentions, {
      params: brandParams(),
      query: `${window}&limit=1`,
    });
    await endRetention(results, { unitDays: 10 });
    expect(await countRows()).toEqual([4, 8, 4]);
    const orphans = `select 1 from unit_brands b
      where not exists (select 1 from units where brand_id = b.own_brand_id and id = b.unit_id)
      union all select 1 from unit_sources s
      where not exists (select 1 from units where brand_id = s.own_brand_id and id = s.unit_id)`;
    expect(await results.query(orphans)).toEqual([]);
    const after = await readFigures(results, tracked);
    expect(readDays(after.mentions)).toEqual(['2026-11-20', '2026-11-12']);
    expect(readDays(after.results)).toEqual(['2026-11-20', '2026-11-12']);
    expect(await readKept()).toEqual(kept);
    expect(await readTokenVersion(results, tracked.own)).toBe(version + 1);
    const next = await results.call(listMentions, {
      params: brandParams(),
      query: `cursor=${firstPage.pagination?.next_cursor ?? ''}&limit=1`,
    });
    expect(next.refusal).toMatchObject({ code: 'invalid_cursor', details: { reason: 'stale' } });

    await endRetention(results, { unitDays: 10 });
    expect(await readTokenVersion(results, tracked.own)).toBe(version + 1);
  });

  test('a longer retention shows no deleted day again, and the first kept day never moves back', async () => {
    await endRetention(results, { unitDays: 10 });
    await endRetention(results, { unitDays: 100 });
    const { mentions } = await readFigures(results, tracked);
    expect(readDays(mentions)).toEqual(['2026-11-20', '2026-11-12']);
    const stopCatalog = await results.serveCatalog([tracked.own, tracked.rival]);
    const response = await importUnits(results, [importLine(tracked.prompt, { run_date: '2026-11-09' })]);
    await stopCatalog();
    expect(response.data).toMatchObject({
      imported: 0,
      rejected: [
        {
          line: 1,
          error: 'run_date: 2026-11-09 is before 2026-11-11, and units of earlier days are not kept',
        },
      ],
    });
  });

  test('a late unit of a deleted day is not stored, and neither it nor the end of its scan changes the scores', async () => {
    await endRetention(results, { unitDays: 10 });
    const kept = await readKept();
    const job_id = randomUUID();
    const late = unit('2026-11-09', { job_id });
    const end = jobData(tracked.own, job_id, { run_date: '2026-11-09' });
    await waitUntilHandled(results, await results.emitUnit(late), await results.emitJob(end));
    expect(await results.query('select 1 from units where id = $1', [late.unit_id])).toEqual([]);
    expect(await readKept()).toEqual(kept);
    expect((await results.call(listMentions, { params: brandParams() })).status).toBe(200);
  });

  test('a day that is not scored keeps its units and those of later days', async () => {
    await endRetention(results, { unitDays: 1_000 });
    const pool = createServicePool(results);
    const settings = { today: '2026-11-21', retention: { unitDays: 2, answerTextDays: 0 } };
    const moved = transaction(pool, async (tx) => {
      await tx.query(`insert into unscored_days values ($1, '2026-11-09')`, [tracked.own.id]);
      throw await updateKeptDays(tx, { id: tracked.own.id, orgId: tracked.own.org_id }, settings);
    });
    await expect(moved).rejects.toEqual({ units_from: '2026-11-09', texts_from: null });
    await pool.end();
    await endRetention(results, { unitDays: 2 });
    const { mentions } = await readFigures(results, tracked);
    expect(readDays(mentions)).toEqual(['2026-11-20']);
  });

  test('imported units of a deleted day are neither counted nor deleted again', async () => {
    await importLines(results, tracked, [importLine(tracked.prompt, { run_date: '2026-11-10' })]);
    const kept = await readKept();
    // As before the rows are removed: only the first kept day has moved.
    await results.query(`update brand_tokens set units_from = '2026-11-11' where brand_id = $1`, [
      tracked.own.id,
    ]);
    const params = { brandId: tracked.own.id };
    const counted = await results.call(operatorCountBrandUnits, { params, query: window });
    expect(counted.data).toEqual({ imported: 0, scanned: 4 });
    const body = { from: '2026-10-01', to: '2026-11-21', import_only: true };
    expect((await results.call(operatorDeleteBrandUnits, { params, body })).data).toEqual({ deleted: 0 });
    expect(await readKept()).toEqual(kept);
  });
});

describe('answer texts', () => {
  const readTexts = async () => {
    const params = toPromptParams(tracked.prompt);
    const { data } = await results.call(listPromptResults, { params, query: `${window}&country=DE` });
    return data.map(({ run_date, answer_text, answer_truncated, brands }) => ({
      run_date,
      text: answer_text,
      cut: answer_truncated,
      evidence: brands.some(({ evidence }) => evidence.length > 0),
    }));
  };
  const withText = (run_date: string) => ({ run_date, text, cut: true, evidence: true });
  const without = (run_date: string) => ({ run_date, text: null, cut: false, evidence: false });

  test('are null after their days, without evidence; mentions and figures stay', async () => {
    const before = await readFigures(results, tracked);
    const version = await readTokenVersion(results, tracked.own);
    expect(await readTexts()).toEqual(days.toReversed().map(withText));
    await endRetention(results, { answerTextDays: 10 });
    expect(await readTexts()).toEqual([
      withText('2026-11-20'),
      withText('2026-11-12'),
      without('2026-11-09'),
      without('2026-11-08'),
    ]);
    const stored = 'select 1 from units where brand_id = $1 and answer_text is not null';
    expect(await results.query(stored, [tracked.own.id])).toHaveLength(4);
    const { results: _, ...figures } = before;
    expect(await readFigures(results, tracked)).toMatchObject(figures);
    expect(await readTokenVersion(results, tracked.own)).toBe(version + 1);
  });

  test('of a late unit are not stored', async () => {
    await endRetention(results, { answerTextDays: 10 });
    const late = unit('2026-11-09', { country: 'US' });
    await waitUntilHandled(results, await results.emitUnit(late));
    const rows = await results.query('select answer_text from units where id = $1', [late.unit_id]);
    expect(rows).toEqual([{ answer_text: null }]);
  });

  test('a reprocess job leaves days without texts as they are', async () => {
    await endRetention(results, { answerTextDays: 10 });
    const before = await readFigures(results, tracked);
    await results.emitBrand({ ...tracked.own, name: 'Rival', aliases: ['good'] }, 2);
    const { units } = await reprocess(results, tracked.own);
    expect(units).toEqual({ total: 4, done: 4, changed: 4 });
    const after = await readFigures(results, tracked);
    const ofRemoved = ({ run_date }: { run_date: string }) => run_date < '2026-11-11';
    expect(after.scores.filter(ofRemoved)).toEqual(before.scores.filter(ofRemoved));
    expect(after.mentions.filter(ofRemoved)).toEqual(before.mentions.filter(ofRemoved));
  });
});
