import { execute, many, one, type Queryable } from '@bv/postgres';
import { firstTextDay } from './retention.ts';
import type { StoredName } from './units.ts';

export type BrandDay = { brandId: string; runDate: string };

/** SQL for the units that are read again. */
const withText = `outcome = 'answered' and answer_text is not null`;

/** The days of a window with answers, the oldest first. Days without texts are not read again. */
export async function listAnsweredDays(
  db: Queryable,
  brandId: string,
  { from, to }: { from: string | null; to: string },
): Promise<string[]> {
  const rows = await many<{ run_date: string }>(db, {
    name: 'results.list_answered_days',
    text: `select distinct run_date from answered_days
           where brand_id = $1 and run_date between greatest($2::date, ${firstTextDay}) and $3 order by run_date`,
    values: [brandId, from, to],
  });
  return rows.map((row) => row.run_date);
}

/** The answers of a day with a stored text. */
export async function countAnswers(db: Queryable, { brandId, runDate }: BrandDay): Promise<number> {
  const row = await one<{ count: number }>(db, {
    name: 'results.count_answers',
    text: `select count(*) as count from units where brand_id = $1 and run_date = $2 and ${withText}`,
    values: [brandId, runDate],
  });
  return row.count;
}

/** A unit that was deleted and imported again has another `xmin`. */
export type AnswerVersion = { id: string; finalized_at: string; xmin: string };

/** A page of the answers of a day. */
export function listAnswerVersions(
  db: Queryable,
  { brandId, runDate }: BrandDay,
  { after, limit }: { after: AnswerVersion | null; limit: number },
): Promise<AnswerVersion[]> {
  return many<AnswerVersion>(db, {
    name: 'results.list_answer_versions',
    text: `select id, finalized_at, xmin::text as xmin from units
           where brand_id = $1 and run_date = $2 and ${withText}
             and ($3::timestamptz is null or (finalized_at, id) < ($3, $4::uuid))
           order by finalized_at desc, id desc limit $5`,
    values: [brandId, runDate, after?.finalized_at ?? null, after?.id ?? null, limit],
  });
}

/** An answered unit with its text. `brands` is the JSON of its stored brands, which a thread parses. */
export type AnswerRow = {
  id: string;
  brand_id: string;
  xmin: string;
  mentioned: boolean;
  answer_text: string;
  answer_truncated: boolean;
  sentiment_method: 'lexicon' | 'llm' | null;
  mention_method: 'words' | 'words+llm' | null;
  brands: string;
  /** Null if it was not read for names. */
  others: StoredName[] | null;
  cited_domains: string[];
};

/** The texts of answers, with their extracted brands and sources. */
export function listAnswers(db: Queryable, brandId: string, ids: readonly string[]): Promise<AnswerRow[]> {
  return many<AnswerRow>(db, {
    name: 'results.list_answers',
    // A plan that was made while the tables were almost empty reads all of them.
    prepare: false,
    text: `select u.id, u.brand_id, u.xmin::text as xmin, u.mentioned, u.answer_text, u.answer_truncated,
             u.sentiment_method, u.mention_method, u.others, b.brands, coalesce(s.domains, '{}') as cited_domains
           from units u
           cross join lateral (
             select coalesce(jsonb_agg(to_jsonb(b) - '{own_brand_id,unit_id,ordinal}'::text[] order by b.ordinal), '[]')::text
               as brands
             from unit_brands b where b.own_brand_id = $1 and b.unit_id = u.id
           ) b
           cross join lateral (
             select array_agg(distinct domain) as domains from unit_sources
             where own_brand_id = $1 and unit_id = u.id and cited
           ) s
           where u.brand_id = $1 and u.id = any($2::uuid[]) and ${withText}`,
    values: [brandId, ids],
  });
}

/**
 * Records that every answer of a day with a stored text was read by this version and searched for these brands. Writes
 * no answer that has both, and returns the number of the others. The caller has replaced what differed, and holds the
 * lock of the token row.
 */
export function updateDayMethod(
  db: Queryable,
  { brandId, runDate }: BrandDay,
  { version, searchedBrands }: { version: string; searchedBrands: string },
): Promise<number> {
  return execute(db, {
    name: 'results.update_day_method',
    text: `update units set method_version = $3, searched_brands = $4
           where brand_id = $1 and run_date = $2 and ${withText}
             and (method_version, searched_brands) is distinct from ($3, $4)`,
    values: [brandId, runDate, version, searchedBrands],
  });
}
