import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Queryable } from '@bv/postgres';
import { createDatabase } from '@bv/testkit';
import pg from 'pg';
import { readArmPeriods } from '../src/db/arm-periods.ts';
import { listCellChanges, listCellsOfWindow } from '../src/db/cell-days.ts';
import { listObservedCells, listSpreads } from '../src/db/precision.ts';
import { listMetricCells } from '../src/db/metric-cells.ts';
import { listMethodVersions, listSeriesDays } from '../src/db/scores.ts';
import { deleteWindowScores, listWindowScoreRows } from '../src/db/window-scores.ts';
import { explainPlan } from './explain-plan.ts';

const own = '00000000-0000-4000-8000-000000000001';
const brands = 10;
const cells = 30;
let database: Awaited<ReturnType<typeof createDatabase>>;
let client: pg.Client;

/** 400 days of ten brands: 30 cells a day, and rows of three series. */
beforeAll(async () => {
  database = await createDatabase('results');
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const brandDays = `select ('00000000-0000-4000-8000-' || lpad(b::text, 12, '0'))::uuid as brand_id,
      date '2026-11-20' - d as run_date
    from generate_series(0, ${brands - 1}) b, generate_series(0, 399) d`;
  await client.query(
    `insert into cell_days
     select brand_id, run_date, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid,
       (array['US', 'DE'])[1 + n % 2], 'chatgpt', 'model-a', 1, 1, 1, 0, 100, 1, 50, 1
     from (${brandDays}) days, generate_series(1, ${cells}) n`,
  );
  await client.query(
    `insert into unit_markets select distinct brand_id, 'chatgpt', c
     from (${brandDays}) days, unnest(array['US', 'DE']) c`,
  );
  await client.query(
    `insert into scores
     select brand_id, c, run_date, 50, 50, 40, 60, 1, 50, 0, 50, 1, 1, 1, 0, 1, 50, 1, '[]', '[]', 1, '4', now()
     from (${brandDays}) days, unnest(array['', 'US', 'DE']) c`,
  );
  await client.query(
    `insert into window_scores
     select brand_id, c, w, run_date, 50, 50, 40, 60, 1, 50, 0, 50, 1, 1, 1, 0, 1, 1, 50, 1, '[]', '[]', 1, '4', now()
     from (${brandDays}) days, unnest(array['', 'US', 'DE']) c, unnest(array[7, 28]) w`,
  );
  await client.query(
    `insert into share_of_voice
     select brand_id, '', c, run_date, r, 'n', 'd', false, 10, 1, 10, 10, 10, 1, 1
     from (${brandDays}) days, unnest(array['', 'US', 'DE']) c,
       unnest(array[brand_id, gen_random_uuid(), gen_random_uuid()]) r`,
  );
  await client.query('analyze');
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const window = { from: '2026-10-24', to: '2026-11-20' };
const precisionOf = { brandId: own, metric: 'score' as const, country: null, platform: null };
const series = { brandIds: [own], countries: ['US'] };
const promptIds = Array.from({ length: 10 }, (_, n) => own.replace(/.{2}$/, String(10 + n)));
const experiment = { promptIds, metric: 'score' as const, countries: null, platforms: null };
const page = { ...window, brandId: own, country: 'US', before: null, limit: 51 };

/** Name, start of the name of the index, number of rows that the index may read, statement. */
const reads: [string, string, number, (db: Queryable) => Promise<unknown>][] = [
  [
    'a page of windows',
    'window_scores_pkey',
    29,
    (db) => listWindowScoreRows(db, { ...page, windowDays: 28 }),
  ],
  [
    'a day that enters and one that leaves a window',
    'cell_days_pkey',
    cells,
    (db) =>
      listCellChanges(db, own, {
        added: { from: '2026-11-20', to: '2026-11-20' },
        removed: { from: '2026-10-23', to: '2026-10-23' },
      }),
  ],
  [
    'a compared window',
    'cell_days_pkey',
    28 * cells,
    (db) => listMetricCells(db, { ...series, platforms: null, metric: 'score' }, window),
  ],
  [
    'a window of an experiment',
    'cell_days_pkey',
    28 * cells,
    (db) => listMetricCells(db, { ...experiment, brandIds: [own] }, window),
  ],
  [
    'the periods of an experiment',
    'cell_days_pkey',
    28 * cells,
    (db) =>
      readArmPeriods(db, { ...experiment, brandId: own }, { starts: [window.from], to: window.to }).next(),
  ],
  [
    'a compared window of all metrics',
    'cell_days_pkey',
    28 * cells,
    (db) => listCellsOfWindow(db, own, window),
  ],
  [
    'the answers whose precision is wanted',
    'cell_days_pkey',
    28 * cells,
    (db) => listObservedCells(db, precisionOf, window),
  ],
  [
    'the weeks that show what is usual',
    'cell_days_pkey',
    91 * cells,
    (db) => listSpreads(db, precisionOf, { from: '2026-08-22', to: '2026-11-20' }),
  ],
  ['the series of a window', 'scores_pkey', 28 * 3, (db) => listSeriesDays(db, own, window)],
  ['the methods of a window', 'scores_pkey', 28, (db) => listMethodVersions(db, series, window)],
  [
    'the windows to replace',
    'window_scores_pkey',
    28 * 3,
    (db) => deleteWindowScores(db, own, { ...window, windowDays: 7 }),
  ],
];

test.each(
  reads.flatMap(([name, index, rows, run]) =>
    ['force_custom_plan', 'force_generic_plan'].map((mode) => [name, mode, index, rows, run] as const),
  ),
)('%s (%s): %s reads only the rows of the window', async (_name, mode, index, rows, run) => {
  await client.query('begin');
  try {
    const nodes = await explainPlan(client, run, mode);
    const scans = nodes.filter((node) => node['Index Name']?.startsWith(index));
    expect(scans.length).toBeGreaterThan(0);
    for (const node of scans) {
      expect(node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)).toBeLessThanOrEqual(rows);
      // Postgres before 17 would read the days once for each prompt.
      expect(node['Index Cond']).not.toContain('prompt_id');
    }
    const large = ['cell_days', 'scores', 'window_scores', 'share_of_voice'];
    const sequential = nodes.filter((node) => node['Node Type'] === 'Seq Scan' && node['Actual Loops'] > 0);
    expect(sequential.filter((node) => large.includes(node['Relation Name'] ?? ''))).toEqual([]);
  } finally {
    await client.query('rollback');
  }
});
