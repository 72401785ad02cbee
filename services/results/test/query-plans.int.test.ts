import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createPool, type Pool, type Queryable } from '@bv/postgres';
import { createLogger, createMetrics } from '@bv/telemetry';
import { createDatabase } from '@bv/testkit';
import type pg from 'pg';
import { scoreDay } from '../src/commands/score-day.ts';
import { listDayBrandSums, listDaySums } from '../src/db/day-sums.ts';
import {
  listMentionRows,
  listPromptResultRows,
  listUnitBrands,
  listUnitSources,
} from '../src/db/unit-lists.ts';
import { findImportedDay, listImportedUnitIds } from '../src/db/units.ts';
import { listScoreRows } from '../src/db/scores.ts';
import { listSourceRows } from '../src/db/cited-domains.ts';
import { listShareRows } from '../src/db/share-of-voice.ts';
import { explainPlan } from './explain-plan.ts';

const own = '00000000-0000-4000-8000-000000000001';
const prompt = '00000000-0000-4000-8000-000000000011';
let database: Awaited<ReturnType<typeof createDatabase>>;
let pool: Pool;
let client: pg.PoolClient;

/** 100,000 units of ten brands over 200 days, and two years of scores and shares of one brand. */
beforeAll(async () => {
  database = await createDatabase('results');
  pool = createPool({
    connectionString: database.url,
    applicationName: 'test',
    log: createLogger({ service: 'results', level: 'silent' }),
    metrics: createMetrics('test'),
    statementTimeoutMs: 150_000,
  });
  client = await pool.connect();
  await client.query(
    `insert into units
     select gen_random_uuid(), $1, ('00000000-0000-4000-8000-' || lpad((n % 10)::text, 12, '0'))::uuid,
       ('00000000-0000-4000-8000-' || lpad((n % 50)::text, 12, '0'))::uuid, null,
       (array['claude', 'gemini'])[1 + n % 2], (array['US', 'DE', 'FR'])[1 + n % 3],
       date '2026-11-20' - n / 500, timestamptz '2026-11-20' - n * interval '1 minute', 'answered', true, 1, 50,
       false, null, false, null, null, 'none', '{}', null, null, '4'
     from generate_series(1, 100000) n`,
    [own],
  );
  await client.query(
    `insert into scores
     select $1, c, date '2026-11-20' - d, 50, 50, 40, 60, 1, 50, 0, 50, 1, 1, 1, 0, 1, 50, 1, '[]', '[]', 1, '1', now()
     from generate_series(0, 700) d, unnest(array['', 'US', 'DE', 'FR']) c`,
    [own],
  );
  await client.query(
    `insert into share_of_voice
     select $1, p, c, date '2026-11-20' - d, gen_random_uuid(), 'n', 'd', false, 10, 1, 10, 10, 10, 1, r
     from generate_series(0, 700) d, unnest(array['', 'US', 'DE']) c, unnest(array['', 'claude']) p,
       generate_series(1, 10) r`,
    [own],
  );
  await client.query(
    `insert into source_days
     select ('00000000-0000-4000-8000-' || lpad(b::text, 12, '0'))::uuid, date '2026-11-20' - d, 'd' || s || '.com',
       'claude', 'US', 3, 2, 1
     from generate_series(0, 9) b, generate_series(0, 99) d, generate_series(1, 60) s`,
  );
  await client.query(
    `insert into source_pages
     select brand_id, domain, run_date, platform, country, 'https://' || domain || '/' || n, null, 1
     from source_days, generate_series(1, 3) n`,
  );
  await client.query(
    `insert into answered_days
     select distinct on (brand_id, run_date) brand_id, run_date, platform, country, 9 from source_days`,
  );
  await client.query('analyze');
});
afterAll(async () => {
  client.release();
  await pool.end();
  await database.drop();
});

const explain = (run: (db: Queryable) => Promise<unknown>, mode: string) => explainPlan(client, run, mode);

const window = { from: '2026-10-21', to: '2026-11-20' };
const all = { ...window, platform: null, country: null };
const after = { runDate: '2026-11-10', finalizedAt: '2026-11-01T00:00:00Z', id: own };

const emptyTables = ['brands', 'unit_brands', 'unit_sources'];

const reads: [string, string, (db: Queryable) => Promise<unknown>][] = [
  [
    'mentions, first page',
    'units_by_brand',
    (db) => listMentionRows(db, own, { ...all, after: null, limit: 51 }),
  ],
  ['mentions, later page', 'units_by_brand', (db) => listMentionRows(db, own, { ...all, after, limit: 51 })],
  [
    'mentions of a market',
    'units_by_brand',
    (db) => listMentionRows(db, own, { ...all, country: 'US', after: null, limit: 51 }),
  ],
  [
    'results, first page',
    'units_by_prompt',
    (db) => listPromptResultRows(db, { id: prompt, brandId: own }, { ...all, after: null, limit: 51 }),
  ],
  [
    'results, later page',
    'units_by_prompt',
    (db) => listPromptResultRows(db, { id: prompt, brandId: own }, { ...all, after, limit: 51 }),
  ],
  [
    'scores',
    'scores_pkey',
    (db) => listScoreRows(db, { ...window, brandId: own, country: 'US', before: null, limit: 51 }),
  ],
  [
    'share of voice',
    'share_of_voice_by_rank',
    (db) =>
      listShareRows(db, { ...window, brandId: own, platform: '', country: 'US', after: null, limit: 51 }),
  ],
];

test.each(
  reads.flatMap(([name, index, run]) =>
    ['force_custom_plan', 'force_generic_plan'].map((mode) => [name, mode, index, run] as const),
  ),
)(
  '%s (%s) uses index %s, reads only the rows of the page and sorts nothing',
  async (_name, mode, index, run) => {
    const nodes = await explain(run, mode);
    expect(nodes.map((node) => node['Index Name'])).toContain(index);
    const slow = nodes.filter(
      (node) =>
        ['Sort', 'Bitmap Heap Scan'].includes(node['Node Type']) ||
        (node['Node Type'] === 'Seq Scan' && !emptyTables.includes(node['Relation Name'] ?? '')),
    );
    expect(slow).toEqual([]);
    for (const node of nodes) expect(node['Actual Rows']).toBeLessThanOrEqual(51);
  },
);

test.each(['force_custom_plan', 'force_generic_plan'])(
  "sources (%s) read only the brand's sums of the window, and only the pages of the returned domains",
  async (mode) => {
    const nodes = await explain(
      (db) => listSourceRows(db, own, { ...all, gapOf: null, after: null, limit: 11 }),
      mode,
    );
    const scans = nodes.filter(
      (node) => node['Relation Name'] !== undefined || node['Index Name'] !== undefined,
    );
    expect(scans.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
    const tables = new Set(scans.map((node) => node['Relation Name'] ?? 'source_days'));
    expect(tables).toEqual(new Set(['source_days', 'source_pages', 'answered_days']));
    // 31 days with 60 domains each. Three pages a day of each of the eleven returned domains.
    const read = (table: string) =>
      scans.filter((node) => node['Relation Name'] === table)[0]?.['Actual Rows'];
    expect(read('source_days')).toBe(31 * 60);
    expect(read('source_pages')).toBeLessThanOrEqual(31 * 3 * 11);
  },
);

test.each(['force_custom_plan', 'force_generic_plan'])(
  'brands and sources of a page (%s) are read unit by unit, even if the statistics of their tables are out of date',
  async (mode) => {
    await client.query('begin; set local enable_bitmapscan = off');
    try {
      await client.query(
        `insert into unit_brands (own_brand_id, unit_id, ordinal, brand_id, name, domain, is_own, mentioned,
           mention_count, position, cited)
         select brand_id, id, 0, brand_id, 'B', 'b.com', true, true, 1, 1, false from units
         where brand_id = $1`,
        [own],
      );
      await client.query(
        `insert into unit_sources (own_brand_id, unit_id, position, url, domain, cited)
         select own_brand_id, unit_id, 1, 'https://b.com', 'b.com', true from unit_brands`,
      );
      await client.query(
        `insert into brands (id, org_id, name, domain, is_own, geography, aliases, match, version)
         select gen_random_uuid(), $1, 'B', 'b.com', true, 'global', '{}', '{}', 1 from generate_series(1, 20000)`,
        [own],
      );
      const { rows } = await client.query<{ unit_id: string }>('select unit_id from unit_brands limit 51');
      const ids = rows.map((row) => row.unit_id);
      const page = { ...all, after: null, limit: 51 };
      const readsOfPage: ((db: Queryable) => Promise<unknown>)[] = [
        (db) => listPromptResultRows(db, { id: prompt, brandId: own }, page),
        (db) => listUnitBrands(db, own, ids),
        (db) => listUnitSources(db, own, ids),
      ];
      for (const read of readsOfPage) {
        const nodes = await explain(read, mode);
        expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
        for (const node of nodes) expect(node['Actual Rows']).toBeLessThanOrEqual(51);
      }
    } finally {
      await client.query('rollback');
    }
  },
);

test.each(['force_custom_plan', 'force_generic_plan'])(
  'imported units of a window (%s) are found without reading the units of its scans',
  async (mode) => {
    const scanned = '00000000-0000-4000-8000-0000000000fe';
    await client.query('begin');
    try {
      // 330 units of scans on each of six days, and five imported ones on one of them.
      await client.query(
        `insert into units
         select gen_random_uuid(), $1, $1, $1, case when n > 5 then gen_random_uuid() end, 'claude', 'US',
           date '2026-11-03' + case when n > 5 then n % 6 - 3 else 0 end, timestamptz '2026-11-20', 'answered', true, 1, 50,
           false, null, false, null, null, 'none', '{}', null, null, '4'
         from generate_series(1, 2000) n`,
        [scanned],
      );
      await client.query('analyze units');
      const reads: [number, (db: Queryable) => Promise<unknown>][] = [
        [1, (db) => findImportedDay(db, scanned, { ...window, after: null })],
        [0, (db) => findImportedDay(db, scanned, { ...window, after: '2026-11-03' })],
        [5, (db) => listImportedUnitIds(db, scanned, '2026-11-03', 2_000)],
      ];
      for (const [rows, read] of reads) {
        const all = await explain(read, mode);
        // The first day that is kept.
        const nodes = all.filter((node) => node['Relation Name'] !== 'brand_tokens');
        expect(nodes.map((node) => node['Index Name'])).toContain('units_imported');
        const counts = nodes.map((node) => [node['Actual Rows'], node['Rows Removed by Filter'] ?? 0]);
        expect(new Set(counts.map(String))).toEqual(new Set([`${rows},0`]));
      }
    } finally {
      await client.query('rollback');
    }
  },
);

test('scoring a day with many answers sums in memory, and work_mem is restored afterwards', async () => {
  const crowded = '00000000-0000-4000-8000-0000000000ff';
  await client.query(
    `with stored as (
       insert into units
       select gen_random_uuid(), $1, $1, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, null, 'claude',
         'US', date '2026-11-20', timestamptz '2026-11-20', 'answered', true, 1, 50, false, null, false, null, null,
         'none', '{}', null, null, '4'
       from generate_series(1, 50000) n returning id)
     insert into unit_brands (own_brand_id, unit_id, ordinal, brand_id, name, domain, is_own, mentioned, mention_count,
       position, cited)
     select $1, id, k, ('00000000-0000-4000-8000-' || lpad(k::text, 12, '0'))::uuid, 'B' || k, 'b.com', k = 0, true, 1,
       1 + k, false
     from stored, generate_series(0, 2) k`,
    [crowded],
  );
  await client.query('analyze units, unit_brands');
  await client.query("set work_mem = '4MB'");
  const findSpills = async () => {
    const plans = [
      await explain((db) => listDaySums(db, crowded, '2026-11-20'), 'auto'),
      await explain((db) => listDayBrandSums(db, crowded, '2026-11-20'), 'auto'),
    ];
    return plans.map(([root]) => (root?.['Temp Written Blocks'] ?? 0) > 0);
  };
  expect(await findSpills()).toEqual([true, true]);
  await client.query('begin');
  await scoreDay(client as unknown as Queryable, crowded, '2026-11-20');
  expect(await findSpills()).toEqual([false, false]);
  await client.query('commit');
  expect((await client.query('show work_mem')).rows).toEqual([{ work_mem: '4MB' }]);
});
