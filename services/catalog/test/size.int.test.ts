import { createHash } from 'node:crypto';
import { getOrg, listPrompts, promptIdentity, syncPrompts } from '@bv/contract';
import type { Queryable } from '@bv/postgres';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { countOwnBrands, listBrandRows } from '../src/db/brands.ts';
import { getMaxCompetitors } from '../src/db/competitors.ts';
import { startPosition } from '@bv/pagination';
import {
  listMissingPrompts,
  listPromptRows,
  listPromptsByText,
  type PromptPage,
} from '../src/db/prompt-lists.ts';
import { getPromptUsage } from '../src/db/prompts.ts';
import { type Catalog, countStatements, startCatalog } from './catalog.ts';

const ownBrands = 1_000;
const promptsPerBrand = 100;

let catalog: Catalog;
let orgId: string;
let brandId: string;
beforeAll(async () => {
  catalog = await startCatalog();
  orgId = await catalog.addOrg('enterprise');
  const neighbourId = await catalog.addOrg('enterprise');
  const { sql } = catalog;
  // Rows of other organisations, so that each table holds more than this one.
  await sql.query(`insert into orgs (name, tier) select 'n', 'scale' from generate_series(1, 300)`);
  await sql.query(
    `insert into brands (org_id, is_own, name, domain)
     select org.id, own, 'b', case when own then 'own-' else 'rival-' end || n || '.com'
     from (select id from orgs where id = $1 union all (select id from orgs where id <> $1 order by tier limit 19)) org,
       generate_series(1, $2::int) n, unnest(array[true, false]) own`,
    [orgId, ownBrands],
  );
  const { rows } = await sql.query('select id from brands where org_id = $1 and is_own limit 1', [orgId]);
  brandId = rows[0].id;
  await sql.query(
    `with numbered as (
       select id, org_id, is_own, row_number() over (partition by org_id, is_own order by id) as n from brands
     )
     insert into brand_competitors (org_id, brand_id, competitor_id)
     select own.org_id, own.id, rival.id
     from numbered own
     cross join generate_series(0, 4) k
     join numbered rival on rival.org_id = own.org_id and rival.n = own.n + k
     where own.is_own and not rival.is_own`,
  );
  await sql.query(
    `insert into prompts (org_id, brand_id, text, text_identity, countries, platforms, tags, source)
     select org_id, id, 'prompt ' || n, sha256(('prompt ' || n)::bytea),
       case n % 3 when 0 then '{US,DE}' when 1 then '{FR}' else '{US,JP,GB}' end::text[], '{chatgpt,claude}',
       array['t' || n % 10] || case when n = $2 and id = $3 then '{rare}'::text[] else '{}' end, 'api'
     from brands, generate_series(1, $2::int) n where org_id = $1 and is_own`,
    [orgId, promptsPerBrand, brandId],
  );
  // Values that are rare here are common in the other organisation's prompts.
  await sql.query(
    `insert into prompts (org_id, brand_id, text, text_identity, countries, platforms, tags, active, source)
     select org_id, id, 'prompt ' || n, sha256(('prompt ' || n)::bytea), '{ZA,US}', '{gemini}', '{rare,t1}', false,
       'api'
     from brands, generate_series(1, 20) n where org_id = $1 and is_own`,
    [neighbourId],
  );
  await sql.query(
    `insert into prompt_counts (org_id, country, active_prompts)
     select id, country, 1 from orgs, unnest('{US,DE,FR,GB,JP,""}'::text[]) country where id <> $1`,
    [orgId],
  );
  await sql.query('vacuum analyze brands, brand_competitors, prompts, prompt_counts');
});
afterAll(() => catalog.stop());

type Plan = { 'Node Type': string; 'Relation Name'?: string; 'Index Name'?: string; Plans?: Plan[] };
const listNodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(listNodes)];

/** Returns the query plan of the statement of `read`. */
async function explain(read: (db: Queryable) => Promise<unknown>): Promise<Plan[]> {
  let plan: Plan[] = [];
  const explaining = {
    query: async ({ text, values }: { text: string; values: unknown[] }) => {
      const { rows } = await catalog.sql.query(`explain (format json) ${text}`, values);
      plan = listNodes(rows[0]['QUERY PLAN'][0].Plan);
      return { rows: [{}], rowCount: 1 };
    },
  };
  await read(explaining as unknown as Queryable);
  return plan;
}

const anything = { active: null, tag: null, platform: null, country: null, after: startPosition, limit: 51 };
const identity = (text: string): Buffer => createHash('sha256').update(promptIdentity(text)).digest();
const identities = Array.from({ length: 1_000 }, (_, index) => identity(`prompt ${index + 1}`));

describe('plans', () => {
  test.each<[string, (db: Queryable) => Promise<unknown>]>([
    ['the prompt list of an organisation', (db) => listPromptRows(db, { ...anything, orgId, brandId: null })],
    // For a short page, sorting the brand's hundred prompts is as cheap as scanning half of them.
    ['the prompt list of a brand', (db) => listPromptRows(db, { ...anything, orgId, brandId, limit: 11 })],
    [
      'the active prompts with a tag',
      (db) => listPromptRows(db, { ...anything, orgId, brandId: null, active: true, tag: 't1' }),
    ],
    ['the brand list', (db) => listBrandRows(db, { orgId, isOwn: null, after: startPosition, limit: 51 })],
    [
      'the brand list by kind',
      (db) => listBrandRows(db, { orgId, isOwn: true, after: startPosition, limit: 51 }),
    ],
  ])('%s: in the order of an index, without a sort', async (_, read) => {
    const types = (await explain(read)).map((node) => node['Node Type']);
    expect(types).toContain('Index Scan');
    for (const type of types) expect(type).not.toMatch(/Seq Scan|Sort|Bitmap/);
  });

  test.each<[string, (db: Queryable) => Promise<unknown>]>([
    ['prompts and countries in use', (db) => getPromptUsage(db, orgId)],
    ['own brands in use', (db) => countOwnBrands(db, orgId)],
    ['competitors in use', (db) => getMaxCompetitors(db, orgId)],
    ['the stored prompts of 1,000 texts', (db) => listPromptsByText(db, brandId, identities)],
    ['the prompts a sync leaves out', (db) => listMissingPrompts(db, brandId, identities)],
  ])('%s: no table is read as a whole', async (_, read) => {
    const scans = (await explain(read)).filter((node) => node['Node Type'].endsWith('Scan'));
    expect(scans.some((node) => node['Node Type'].includes('Index'))).toBe(true);
    for (const node of scans) expect(node['Node Type']).not.toBe('Seq Scan');
  });

  test.each<[string, Partial<PromptPage>]>([
    ['a rare tag', { tag: 'rare' }],
    ['a tag nothing has', { tag: 'none' }],
    ['a rare country', { country: 'ZA' }],
    ['a rare platform', { platform: 'gemini' }],
    ['the few that are inactive', { active: false }],
    ['a rare tag within a brand', { tag: 'rare', active: true }],
    ['a rare tag among common filters', { tag: 'rare', country: 'US', platform: 'claude', active: true }],
  ])('the prompts with %s: found by the index of the keys', async (_, filter) => {
    const nodes = await explain((db) => listPromptRows(db, { ...anything, orgId, brandId: null, ...filter }));
    const types = nodes.map((node) => node['Node Type']);
    expect(types).toContain('Bitmap Index Scan');
    expect(nodes.map((node) => node['Index Name'])).toContain('prompts_filtered');
    expect(types).not.toContain('Seq Scan');
  });
});

test('usage of 100,000 prompts is exact', async () => {
  const { data } = await catalog.call(getOrg, { params: { orgId } });
  expect(data.usage).toMatchObject({
    prompts: { used: ownBrands * promptsPerBrand },
    own_brands: { used: ownBrands },
    countries: { used: 5, codes: ['DE', 'FR', 'GB', 'JP', 'US'] },
    competitors_per_brand: { max_used: 5 },
  });
});

test('a rare filter finds its prompt among 100,000, and an unused value finds none', async () => {
  const page = (query: string) => catalog.call(listPrompts, { params: { orgId }, query });
  const rare = await page('tag=rare&active=true&platform=claude');
  expect(rare.data).toMatchObject([{ brand_id: brandId, text: 'prompt 100' }]);
  for (const query of ['tag=none', 'country=ZA', 'platform=gemini', 'active=false']) {
    const { body } = await page(query);
    expect(body).toEqual({ data: [], pagination: { next_cursor: null, has_more: false } });
  }
});

test('all pages together return each prompt of the organisation once', async () => {
  const met = new Set<string>();
  let query = 'limit=200';
  for (let page = 0; page < 20; page += 1) {
    const { data, pagination } = await catalog.call(listPrompts, { params: { orgId }, query });
    for (const { id } of data) met.add(id);
    query = `limit=200&cursor=${pagination.next_cursor}`;
  }
  expect(met.size).toBe(4_000);
});

test('a sync of 1,000 unchanged rows takes a bounded number of statements', async () => {
  const prompts = Array.from({ length: 1_000 }, (_, index) => ({
    text: `synced ${index}`,
    countries: ['US'],
  }));
  const sync = () =>
    catalog.call(syncPrompts, { params: { orgId, brandId }, body: { prompts, deactivate_missing: false } });
  const created = await sync();
  expect(created.data.summary).toMatchObject({ total: 1_000, created: 1_000 });
  const before = await countStatements(catalog, 'catalog');
  const again = await sync();
  expect(again.data.summary).toMatchObject({ total: 1_000, unchanged: 1_000 });
  expect((await countStatements(catalog, 'catalog')) - before).toBeLessThan(15);
});

test('usage equals the stored rows', async () => {
  const { rows } = await catalog.sql.query(
    `select counted.country, counted.active_prompts::int as counted, coalesce(stored.n, 0)::int as stored
     from prompt_counts counted
     left join (
       select country, count(*) as n from prompts, unnest(countries || ''::text) country
       where org_id = $1 and active group by country
     ) stored using (country)
     where counted.org_id = $1`,
    [orgId],
  );
  expect(rows.length).toBeGreaterThan(5);
  for (const row of rows) expect(row.counted).toBe(row.stored);
});
