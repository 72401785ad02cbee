import { transaction } from '@bv/postgres';
import { scoreDay } from '../src/commands/score-day.ts';
import { lockBrandToken } from '../src/db/brands.ts';
import { type BrandLoad, orgId, toBrandId, toDay } from './generate.ts';
import { type Bench, compare, type Compared, timed } from './measure.ts';
import { getItem, getPage } from './reads.ts';

const pageLimit = 200;

async function score({ pool }: Bench, brandId: string, runDate: string): Promise<void> {
  await transaction(pool, async (tx) => {
    await lockBrandToken(tx, brandId);
    await scoreDay(tx, brandId, runDate);
  });
}

/** All rows of a year, page by page. */
async function readYear({ base, today }: Bench, brandId: string, window: string): Promise<number> {
  const path = `brands/${brandId}/scores`;
  const query = { from: toDay(today, 360), to: toDay(today, 0), limit: String(pageLimit), window };
  let [rows, ms, next] = [0, 0, null as string | null];
  do {
    const page = await getPage(base, path, next === null ? query : { cursor: next, limit: query.limit });
    [rows, ms, next] = [rows + page.rows, ms + page.ms, page.next];
  } while (next !== null);
  if (rows !== 360) throw new Error(`a year of ${window} had ${rows} rows`);
  return ms;
}

/** Scores the days of a brand, then reads a year of 28-day rows and of daily rows. */
export async function measureWindows(bench: Bench, { brandId, days }: BrandLoad): Promise<Compared> {
  for (let ago = days; ago > 0; ago -= 1) await score(bench, brandId, toDay(bench.today, ago));
  return compare(bench, {
    name: 'windows',
    rounds: bench.rounds,
    own: () => readYear(bench, brandId, '28d'),
    base: () => readYear(bench, brandId, 'day'),
  });
}

const scoredDays = 56;

/** Medians in milliseconds, of a brand with one unit a cell in a history of 56 days. */
export type Scoring = {
  unitsPerDay: number;
  newestDay: number;
  /** The day 28 days before, which changes 35 windows. */
  earlierDay: number;
  /** The last 28 days with the 28 days before. */
  comparison: number;
};

export async function measureScoring(bench: Bench, number: number, prompts: number): Promise<Scoring> {
  const { today } = bench;
  const brandId = toBrandId(number);
  await insertHistory(bench, brandId, prompts);
  for (let ago = scoredDays - 1; ago >= 0; ago -= 1) await score(bench, brandId, toDay(today, ago));
  const rounds = Math.min(5, bench.rounds);
  const scoring = await compare(bench, {
    name: 'scoring',
    rounds,
    own: () => timed(() => score(bench, brandId, toDay(today, 28))),
    base: () => timed(() => score(bench, brandId, toDay(today, 0))),
  });
  const windows = {
    from_a: toDay(today, 55),
    to_a: toDay(today, 28),
    from_b: toDay(today, 27),
    to_b: toDay(today, 0),
  };
  const read = () => timed(() => getItem(bench.base, `brands/${brandId}/scores/compare`, windows));
  const { own: comparison } = await compare(bench, { name: 'comparison', rounds, own: read, base: read });
  return { unitsPerDay: prompts * 25, newestDay: scoring.base, earlierDay: scoring.own, comparison };
}

/** Units of each prompt in five countries on five platforms, once a day, with three brands each. */
async function insertHistory({ pool, today }: Bench, brandId: string, prompts: number): Promise<void> {
  await pool.query(
    `insert into brands (id, org_id, name, domain, is_own, geography, aliases, match, version)
     values ($1, $2, 'Brand', 'brand.example.com', true, 'global', '{}', '{}', 1)`,
    [brandId, orgId],
  );
  await pool.query(
    'insert into brand_tokens (brand_id, org_id, changed_at, version) values ($1, $2, now(), 1)',
    [brandId, orgId],
  );
  await pool.query(
    `insert into units (id, org_id, brand_id, prompt_id, platform, country, run_date, finalized_at, outcome, mentioned,
       position, sentiment, cited, answer_text, answer_truncated, model, localization, search_queries, method_version)
     select gen_random_uuid(), $2, $1, ('00000000-0000-4000-8000-' || lpad(prompt::text, 12, '0'))::uuid, platform,
       country, $3::date - ago, $3::date - ago, 'answered', found, case when found then 1 + (prompt + ago) % 5 end,
       case when found then 40 + (prompt + ago) % 50 end, (prompt + ago) % 5 = 0, 'An answer.', false,
       'model of ' || platform, 'native', '{}', '4'
     from generate_series(1, $4::int) prompt, generate_series(0, $5::int) ago,
       unnest(array['ai_overviews', 'chatgpt', 'claude', 'gemini', 'perplexity']) with ordinality p (platform, place),
       unnest(array['DE', 'FR', 'GB', 'JP', 'US']) country,
       lateral (select (prompt * 7 + ago * 3 + place) % 10 < 4 as found) f`,
    [brandId, orgId, toDay(today, 0), prompts, scoredDays - 1],
  );
  await pool.query(
    `insert into unit_brands (own_brand_id, unit_id, ordinal, brand_id, name, domain, is_own, mentioned, mention_count,
       position, cited)
     select brand_id, id, place, case when place = 0 then brand_id else ('00000000-0000-4000-8000-00000000000' || place)::uuid end,
       'Brand', 'brand.example.com', place = 0, place > 0 or mentioned, 1, case when place > 0 then 9 + place else position end, false
     from units, generate_series(0, 2) place where brand_id = $1`,
    [brandId],
  );
  await pool.query(
    `insert into unit_markets (brand_id, platform, country)
     select distinct brand_id, platform, country from units where brand_id = $1`,
    [brandId],
  );
  await pool.query('vacuum analyze units, unit_brands');
}
