import { execute, many, type Queryable } from '@bv/postgres';
import { isCitationUnknown } from './units.ts';
import type { AnswerMethod } from '../domain/method-versions.ts';

/** Only the latest finalised unit of a prompt, platform and country counts for a day. */
const selectLatest = (columns: string): string => `select distinct on (prompt_id, platform, country)
    ${columns}, platform, country, outcome = 'answered' as answered
  from units where brand_id = $1 and run_date = $2
  order by prompt_id, platform, country, finalized_at desc, id desc`;

const latestUnits = selectLatest(
  'id, mentioned, position, sentiment, cited, sources_unresolved, sentiment_method, informative',
);

/**
 * Raises `work_mem` until the transaction ends, so that the sums of a day are sorted and hashed in memory. With the
 * default of 4 MB, a day of 500,000 answers spills to disk: it takes 9 s instead of 5 s, close to the statement
 * timeout. Not by `set_config`, which Citus does not send to workers.
 */
export function setWorkMem(db: Queryable): Promise<number> {
  return execute(db, {
    name: 'results.set_work_mem',
    text: `set local work_mem = '64MB'`,
    values: [],
  });
}

/** Sums of one cell of market x platform; '' means all. */
export type DaySums = {
  country: string;
  platform: string;
  units_total: number;
  units_answered: number;
  units_mentioned: number;
  units_cited: number;
  units_citations_unknown: number;
  units_mentioned_cited: number;
  /** Answered units with a text that was read for names, and those that name a company. */
  units_read: number;
  units_informative: number;
  unit_score_sum: number;
  position_sum: number;
  sentiment_sum: number;
  sentiment_count: number;
  /** Sentiments among them that the LLM judge rated. */
  sentiments_by_llm: number;
};

/** Sums of a brand's day in every cell of market x platform. */
export function listDaySums(db: Queryable, brandId: string, runDate: string): Promise<DaySums[]> {
  return many<DaySums>(db, {
    name: 'results.list_day_sums',
    text: `with latest as (${latestUnits})
           select coalesce(country, '') as country, coalesce(platform, '') as platform,
             count(*) as units_total,
             count(*) filter (where answered) as units_answered,
             count(*) filter (where answered and mentioned) as units_mentioned,
             count(*) filter (where answered and cited) as units_cited,
             count(*) filter (where answered and ${isCitationUnknown}) as units_citations_unknown,
             count(*) filter (where answered and mentioned and cited) as units_mentioned_cited,
             count(informative) as units_read, count(*) filter (where informative) as units_informative,
             coalesce(sum(100 / (1 + 0.1::float8 * (position - 1))) filter (where answered and mentioned), 0)
               as unit_score_sum,
             coalesce(sum(position) filter (where answered and mentioned), 0) as position_sum,
             coalesce(sum(sentiment) filter (where answered and mentioned), 0) as sentiment_sum,
             count(sentiment) filter (where answered and mentioned) as sentiment_count,
             count(sentiment) filter (where answered and mentioned and sentiment_method = 'llm') as sentiments_by_llm
           from latest group by cube (country, platform)`,
    values: [brandId, runDate],
  });
}

/** How the answers of a day were read that were not read by this version. Repeats of a cell are included. */
export function listEarlierMethods(
  db: Queryable,
  { brandId, runDate, version }: { brandId: string; runDate: string; version: string },
): Promise<AnswerMethod[]> {
  return many<AnswerMethod>(db, {
    name: 'results.list_earlier_methods',
    text: `select distinct country, method_version from units
           where brand_id = $1 and run_date = $2 and outcome = 'answered' and method_version <> $3`,
    values: [brandId, runDate, version],
  });
}

export type DayBrandSums = {
  country: string;
  platform: string;
  brand_id: string;
  name: string;
  domain: string;
  is_own: boolean;
  units_answered: number;
  mentions: number;
  position_sum: number;
};

/**
 * Sums of each brand in a day's answers, in every cell of market x platform. Aggregates the smallest cells first, because
 * there are far fewer cells than mention rows.
 */
export function listDayBrandSums(db: Queryable, brandId: string, runDate: string): Promise<DayBrandSums[]> {
  return many<DayBrandSums>(db, {
    name: 'results.list_day_brand_sums',
    text: `with latest as (${latestUnits}), cells as (
             select u.country, u.platform, b.brand_id, max(b.name) as name, max(b.domain) as domain,
               bool_or(b.is_own) as is_own, count(*) as units_answered,
               count(*) filter (where b.mentioned) as mentions,
               coalesce(sum(b.position) filter (where b.mentioned), 0) as position_sum
             from latest u join unit_brands b on b.own_brand_id = $1 and b.unit_id = u.id
             where u.answered
             group by u.country, u.platform, b.brand_id
           )
           select coalesce(country, '') as country, coalesce(platform, '') as platform, brand_id,
             max(name) as name, max(domain) as domain, bool_or(is_own) as is_own,
             sum(units_answered) as units_answered, sum(mentions) as mentions, sum(position_sum) as position_sum
           from cells group by brand_id, cube (country, platform)`,
    values: [brandId, runDate],
  });
}

/** Models of the answers that a day's rows count, by platform. `model` is null where the platform named none. */
export type DayModel = { platform: string; model: string | null; units: number };

/** Sets the models and the number of prompts of each series of a brand's day. */
export function updateDayModels(db: Queryable, brandId: string, runDate: string): Promise<number> {
  return execute(db, {
    name: 'results.update_day_models',
    text: `with latest as (${selectLatest('prompt_id, model')}), served as (
             select coalesce(country, '') as country, platform, model, count(*) as units
             from latest where answered group by grouping sets ((country, platform, model), (platform, model))
           ), models as (
             select country, jsonb_agg(jsonb_build_object('platform', platform, 'model', model, 'units', units)
               order by platform, model) as models
             from served group by country
           ), prompts as (
             select coalesce(country, '') as country, count(distinct prompt_id) as prompts_measured
             from latest where answered group by grouping sets ((country), ())
           )
           update scores s set
             models = coalesce((select m.models from models m where m.country = s.country), '[]'),
             prompts_measured = coalesce((select p.prompts_measured from prompts p where p.country = s.country), 0)
           where s.brand_id = $1 and s.run_date = $2`,
    values: [brandId, runDate],
  });
}
