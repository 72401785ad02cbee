import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { findBrandRpc, findPromptRpc, jobChanged, type RpcServer, serveRpc, unitFinalised } from '@bv/events';
import { publishedHeader, readPublished } from '@bv/http';
import { eventually, testCaller } from '@bv/testkit';
import {
  emitRivals,
  type Harness,
  jobData,
  knows,
  log,
  serveMarkets,
  startResults,
  unitData,
} from './harness.ts';

const operator = testCaller({ orgId: null, owner: { kind: 'operator', id: 'operator' } });
let results: Harness;
let servers: RpcServer[];
let subjects: Awaited<ReturnType<typeof emitRivals>>;

beforeAll(async () => {
  results = await startResults({ now: () => new Date('2026-11-21T12:00:00Z') });
  const serving = { queue: 'catalog', log };
  servers = [
    serveRpc(results.connection, findBrandRpc, async () => null, serving),
    serveRpc(results.connection, findPromptRpc, async () => null, serving),
    serveMarkets(results),
  ];
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await results.stop();
});
/** Every test has a brand of its own. */
beforeEach(async () => {
  subjects = await emitRivals(results);
  await knows(results, { brands: [subjects.own, subjects.rival], prompts: [subjects.prompt] });
});

type Overrides = Record<string, unknown>;
const line = (overrides: Overrides = {}) => ({
  unit_id: randomUUID(),
  brand_id: subjects.own.id,
  prompt_id: subjects.prompt.id,
  platform: 'gemini',
  country: 'DE',
  run_date: '2026-11-19',
  outcome: 'answered',
  brands: [{ brand_id: subjects.rival.id, position: 1, sentiment: 90 }],
  sources: [{ url: 'https://rival.com/x', title: 'Zed' }, { url: 'https://other.com/' }],
  ...overrides,
});
const importLines = async (lines: object[]) => {
  const { body } = await results.call({
    method: 'POST',
    path: '/operator/v1/results/import',
    caller: operator,
    body: lines.map((one) => JSON.stringify(one)).join('\n'),
    headers: { 'content-type': 'application/x-ndjson' },
  });
  return body.data;
};
const remove = (body: object, brandId: string = subjects.own.id) =>
  results.call({
    method: 'POST',
    path: `/operator/v1/brands/${brandId}/units/delete`,
    caller: operator,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
const everything = { from: '2026-01-01', to: '2026-12-31', import_only: true };

/** A scan of one answered unit a day; the own brand is first in it. */
async function scan(runDate: string): Promise<void> {
  const { own, rival, prompt } = subjects;
  const found = [
    { ...own, position: 1 },
    { ...rival, position: 2 },
  ];
  const job_id = randomUUID();
  const sources = [
    { position: 1, url: 'https://acme.com/a', domain: 'acme.com', title: 'Acme', cited: true },
    { position: 2, url: 'https://rival.com/x', domain: 'rival.com', title: 'Anvils', cited: true },
  ];
  const unit = unitData(prompt, found, { job_id, run_date: runDate, sources, country: 'DE' });
  await results.emit(unitFinalised, unit.unit_id, 1, unit);
  await results.emit(jobChanged, job_id, 1, jobData(own, job_id, { run_date: runDate, countries: ['DE'] }));
  await eventually(async () => {
    const scored = 'select 1 from scans where job_id = $1 and scored_at is not null';
    expect(await results.query(scored, [job_id])).toHaveLength(1);
  });
}

/** Everything that is read of the brand, without the moment a row was computed. */
async function figures(): Promise<unknown> {
  const { own, prompt } = subjects;
  const base = `/orgs/${own.org_id}`;
  const window = 'from=2026-10-01&to=2026-11-21';
  const sourcesWindow = 'from=2026-10-01&to=2026-11-21&limit=200';
  const paths = [
    `${base}/brands/summary`,
    `${base}/brands/${own.id}/scores?${window}`,
    `${base}/brands/${own.id}/scores?${window}&country=DE`,
    `${base}/brands/${own.id}/scores?${window}&country=US`,
    `${base}/brands/${own.id}/share-of-voice?${window}`,
    `${base}/brands/${own.id}/share-of-voice?${window}&platform=gemini&country=DE`,
    `${base}/brands/${own.id}/share-of-voice?${window}&platform=chatgpt`,
    `${base}/brands/${own.id}/sources?${sourcesWindow}`,
    `${base}/brands/${own.id}/mentions?${window}`,
    `${base}/prompts/${prompt.id}/results?${window}`,
  ];
  const answers = await Promise.all(paths.map((path) => results.get(own.org_id, path)));
  for (const { status } of answers) expect(status).toBe(200);
  return JSON.parse(
    JSON.stringify(
      answers.map(({ body }) => body.data),
      (key, value: unknown) => (/^(computed_at|last_scan_changed_at|changed_at)$/.test(key) ? null : value),
    ),
  );
}

describe('200', () => {
  test('what is left reads as if the units had never been imported', async () => {
    await scan('2026-11-18');
    await scan('2026-11-20');
    const before = await figures();
    const lines = [
      // The same cell as the scan's, and later than it.
      line({ run_date: '2026-11-18', platform: 'chatgpt', finalized_at: '2026-11-18T23:00:00Z' }),
      line({ run_date: '2026-11-18', country: 'US' }),
      line({ run_date: '2026-11-19' }),
      line({ run_date: '2026-11-19', outcome: 'no_answer', brands: [], sources: [] }),
      line({ run_date: '2026-11-20' }),
      line({ run_date: '2026-10-05' }),
    ];
    expect(await importLines(lines)).toMatchObject({ imported: 6, rejected: [] });
    expect(await figures()).not.toEqual(before);
    const { status, body, headers } = await remove(everything);
    expect([status, body]).toEqual([200, { data: { deleted: 6 } }]);
    expect(await figures()).toEqual(before);
    const published = readPublished(headers.get(publishedHeader) ?? undefined);
    expect(published).toEqual([
      { subject: expect.stringContaining('results.brand.changed'), seq: expect.any(Number) },
    ]);
    for (const table of ['unit_brands', 'unit_sources']) {
      const orphans = `select 1 from ${table} t where not exists (select 1 from units u where u.id = t.unit_id)`;
      expect(await results.query(orphans)).toHaveLength(0);
    }
    expect(await results.query("select 1 from outbox where type = 'results.scan.scored.v1'")).toHaveLength(2);
  });

  test('only the days of the window, both ends included; the day behind it has another previous score', async () => {
    await scan('2026-11-20');
    const days = ['2026-11-10', '2026-11-11', '2026-11-12', '2026-11-13'];
    await importLines(days.map((run_date) => line({ run_date })));
    const { body } = await remove({ ...everything, from: '2026-11-11', to: '2026-11-13' });
    expect(body.data).toEqual({ deleted: 3 });
    const path = `/orgs/${subjects.own.org_id}/brands/${subjects.own.id}/scores?from=2026-11-01&to=2026-11-20`;
    expect((await results.get(subjects.own.org_id, path)).body.data).toMatchObject([
      { run_date: '2026-11-20', score: 100, previous_score: 0, change: 100 },
      { run_date: '2026-11-10', score: 0, previous_score: null },
    ]);
    await remove({ ...everything, from: '2026-11-10', to: '2026-11-10' });
    expect((await results.get(subjects.own.org_id, path)).body.data).toMatchObject([
      { run_date: '2026-11-20', previous_score: null },
    ]);
  });

  test('again: nothing is left to delete and the change token stays; a deleted unit_id is imported again', async () => {
    const lines = [line(), line({ country: 'US' })];
    await importLines(lines);
    expect((await remove(everything)).body.data).toEqual({ deleted: 2 });
    const token = 'select version from brand_tokens where brand_id = $1';
    const before = await results.query(token, [subjects.own.id]);
    expect((await remove(everything)).body.data).toEqual({ deleted: 0 });
    expect(await results.query(token, [subjects.own.id])).toEqual(before);
    expect(await importLines(lines)).toMatchObject({ imported: 2, duplicates: 0 });
  });

  test('units of scans stay, and so do those of other brands', async () => {
    await scan('2026-11-19');
    const first = subjects;
    subjects = await emitRivals(results);
    await knows(results, { brands: [subjects.own], prompts: [subjects.prompt] });
    await importLines([line()]);
    expect((await remove(everything, first.own.id)).body.data).toEqual({ deleted: 0 });
    expect((await remove(everything)).body.data).toEqual({ deleted: 1 });
    expect(await results.query('select 1 from units where brand_id = $1', [first.own.id])).toHaveLength(1);
  });

  test('a day is deleted at once however many units it has: no reader sees a part', async () => {
    const { own } = subjects;
    await importLines(Array.from({ length: 4_500 }, () => line()));
    const seen = new Set<number>();
    let done = false;
    const watching = (async () => {
      while (!done) {
        const rows = await results.query<{ units: number; cited: number; total: number }>(
          `select (select count(*) from units where brand_id = $1)::int as units,
                  (select coalesce(sum(citations), 0) from source_days where brand_id = $1)::int as cited,
                  (select count(*) from scores where brand_id = $1)::int as total`,
          [own.id],
        );
        const [row] = rows;
        seen.add(row?.units ?? -1);
        expect([
          [4_500, 9_000, 2],
          [0, 0, 0],
        ]).toContainEqual([row?.units, row?.cited, row?.total]);
      }
    })();
    const [first, second] = await Promise.all([remove(everything), remove(everything)]);
    done = true;
    await watching;
    expect(first.body.data.deleted + second.body.data.deleted).toBe(4_500);
    expect(seen).toEqual(new Set([0, 4_500]));
  }, 60_000);

  test('an import of the same units at the same time ends with all of them or none, and their figures', async () => {
    const { own } = subjects;
    const run_date = '2026-11-19';
    // As many as an import stores in one transaction.
    const lines = Array.from({ length: 500 }, (_, n) =>
      line({ run_date, country: n % 2 === 0 ? 'DE' : 'US' }),
    );
    await importLines(lines);
    const outcomes = await Promise.all([
      remove(everything),
      importLines(lines),
      remove(everything),
      importLines(lines),
    ]);
    for (const { imported, duplicates } of [outcomes[1], outcomes[3]]) {
      expect([0, 500]).toContain(imported);
      expect(imported + duplicates).toBe(500);
    }
    const deleted = outcomes[0].body.data.deleted + outcomes[2].body.data.deleted;
    const stored = 500 + outcomes[1].imported + outcomes[3].imported - deleted;
    expect([0, 500]).toContain(stored);
    const rows = await results.query(
      `select (select count(*) from units where brand_id = $1)::int as units,
              (select coalesce(sum(citations), 0) from source_days where brand_id = $1)::int as cited,
              (select coalesce(sum(units_answered), 0) from answered_days where brand_id = $1)::int as answered,
              (select count(*) from scores where brand_id = $1)::int as scores,
              (select count(*) from unscored_days where brand_id = $1)::int as unscored`,
      [own.id],
    );
    // One series of all markets and one of each of the two.
    const scores = stored === 0 ? 0 : 3;
    expect(rows).toEqual([{ units: stored, cited: stored * 2, answered: stored, scores, unscored: 0 }]);
    const before = await figures();
    await results.query('insert into unscored_days values ($1, $2)', [own.id, run_date]);
    await importLines([]);
    expect(await results.query('select 1 from unscored_days where brand_id = $1', [own.id])).toEqual([]);
    expect(await figures()).toEqual(before);
    await remove(everything);
    expect(await results.query('select 1 from scores where brand_id = $1', [own.id])).toEqual([]);
  }, 60_000);
});

describe('refusals', () => {
  const refused = async (body: object, brandId?: string) => {
    const answer = await remove(body, brandId);
    const { code, details } = answer.body.error;
    return [answer.status, code, details?.[0]?.path, details?.[0]?.code];
  };

  test.each([false, 'true', 1, null, undefined])('400 validation_error: import_only is %p', async (value) => {
    await importLines([line()]);
    const [status, code, path] = await refused({ ...everything, import_only: value });
    expect([status, code, path]).toEqual([400, 'validation_error', 'import_only']);
    expect((await remove(everything)).body.data).toEqual({ deleted: 1 });
  });

  test('400 validation_error: the window', async () => {
    const window = (from: unknown, to: unknown) => refused({ from, to, import_only: true });
    expect(await window('2026-11-02', '2026-11-01')).toEqual([
      400,
      'validation_error',
      'from/to',
      'window_inverted',
    ]);
    expect(await window('2025-11-01', '2026-11-03')).toEqual([
      400,
      'validation_error',
      'from/to',
      'window_too_wide',
    ]);
    expect((await remove({ from: '2025-11-01', to: '2026-11-02', import_only: true })).status).toBe(200);
    expect(await window('2026-02-30', '2026-03-01')).toEqual([
      400,
      'validation_error',
      'from/to',
      'invalid_date',
    ]);
    expect(await window('1 May', '2026-03-01')).toEqual([400, 'validation_error', 'from', 'invalid_format']);
    expect(await window('2026-03-01', undefined)).toEqual([400, 'validation_error', 'to', 'invalid_type']);
    expect(await window(undefined, '2026-03-01')).toEqual([400, 'validation_error', 'from', 'invalid_type']);
    expect((await remove({ from: '2099-01-01', to: '2099-12-31', import_only: true })).body.data).toEqual({
      deleted: 0,
    });
  });

  test('404 not_found: a brand that nobody knows; 400 own_brand_only: a competitor; 400: no id', async () => {
    expect(await refused(everything, randomUUID())).toEqual([404, 'not_found', undefined, undefined]);
    expect(await refused(everything, subjects.rival.id)).toEqual([
      400,
      'validation_error',
      'brandId',
      'own_brand_only',
    ]);
    expect(await refused(everything, 'x')).toEqual([400, 'validation_error', 'brandId', 'invalid_format']);
  });

  test('401 for a caller that is not the operator', async () => {
    const answer = await results.call({
      method: 'POST',
      path: `/operator/v1/brands/${subjects.own.id}/units/delete`,
      caller: testCaller(),
      body: JSON.stringify(everything),
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(401);
  });
});
