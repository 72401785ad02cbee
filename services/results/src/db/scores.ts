import type { DateWindow } from '@bv/contract';
import { execute, limitPageBytes, many, type Paged, type Queryable } from '@bv/postgres';
import type { DayMethod } from '../domain/method-versions.ts';
import type { DayModel } from './day-sums.ts';

/** The stored values of one day of a series. `country` is '' in the all-market series. */
export type ScoreValues = {
  country: string;
  score: number | null;
  mention_rate: number | null;
  mention_rate_low: number | null;
  mention_rate_high: number | null;
  average_position: number | null;
  sentiment: number | null;
  citation_rate: number | null;
  share_of_voice: number | null;
  units_total: number;
  units_answered: number;
  units_mentioned: number;
  units_cited: number;
  /** Null in rows that are not scored again. */
  units_citations_unknown: number | null;
  units_mentioned_cited: number | null;
  units_informative: number | null;
  informative_rate: number | null;
  position_sum: number;
  sentiment_sum: number;
  sentiment_count: number;
  platforms: {
    platform: string;
    score: number | null;
    mention_rate: number | null;
    units_answered: number;
  }[];
  method_version: string;
};

export type ScoreRow = ScoreValues & {
  run_date: string;
  computed_at: string;
  models: DayModel[];
  prompts_measured: number;
  previous_score: number | null;
  previous_sentiment: number | null;
  previous_models: DayModel[] | null;
};

const values = `country, score, mention_rate, mention_rate_low, mention_rate_high, average_position, sentiment,
  citation_rate, share_of_voice, units_total, units_answered, units_mentioned, units_cited,
  units_citations_unknown, units_mentioned_cited, units_informative, informative_rate, position_sum, sentiment_sum,
  sentiment_count, platforms, method_version`;

const excluded = `excluded.country, excluded.score, excluded.mention_rate, excluded.mention_rate_low,
  excluded.mention_rate_high, excluded.average_position, excluded.sentiment, excluded.citation_rate,
  excluded.share_of_voice, excluded.units_total, excluded.units_answered, excluded.units_mentioned,
  excluded.units_cited, excluded.units_citations_unknown, excluded.units_mentioned_cited,
  excluded.units_informative, excluded.informative_rate,
  excluded.position_sum, excluded.sentiment_sum, excluded.sentiment_count, excluded.platforms,
  excluded.method_version`;

/** Writes every series of a brand's day. Replaces the rows of an earlier scan of the day. */
export function upsertScores(
  db: Queryable,
  brandId: string,
  runDate: string,
  rows: ScoreValues[],
): Promise<number> {
  return execute(db, {
    name: 'results.upsert_scores',
    text: `insert into scores (brand_id, run_date, computed_at, ${values})
           select $1, $2, clock_timestamp(), ${values}
           from jsonb_populate_recordset(null::scores, $3::jsonb)
           on conflict (brand_id, country, run_date) do update set
             (computed_at, ${values}) = row (excluded.computed_at, ${excluded})`,
    values: [brandId, runDate, JSON.stringify(rows)],
  });
}

/** Deletes the series of a day whose units were all deleted. */
export function deleteScoresWithoutUnits(db: Queryable, brandId: string, runDate: string): Promise<number> {
  return execute(db, {
    name: 'results.delete_scores_without_units',
    text: `delete from scores s where brand_id = $1 and run_date = $2 and not exists (
             select from units u where u.brand_id = $1 and u.run_date = $2 and s.country in ('', u.country))`,
    values: [brandId, runDate],
  });
}

/**
 * Joins the latest earlier day of the same series. It is not stored, so it is correct after a late scan too. `$1` is
 * the brand: by `s.brand_id` Postgres would choose the partition again for each row.
 */
const previous = `left join lateral (
    select p.score, p.sentiment, p.models from scores p
    where p.brand_id = $1 and p.country = s.country and p.run_date < s.run_date
    order by p.run_date desc limit 1) previous on true`;

const selectScores = `select s.run_date, s.computed_at, s.country, s.score, s.mention_rate, s.mention_rate_low,
    s.mention_rate_high, s.average_position, s.sentiment, s.citation_rate, s.share_of_voice, s.units_total,
    s.units_answered, s.units_mentioned, s.units_cited, s.units_citations_unknown,
    s.units_mentioned_cited, s.units_informative, s.informative_rate, s.position_sum, s.sentiment_sum, s.sentiment_count,
    s.platforms, s.method_version, s.models, s.prompts_measured, previous.score as previous_score,
    previous.sentiment as previous_sentiment, previous.models as previous_models
  from scores s ${previous}`;

/** The series of a brand: '' for all markets, and each market with a unit. */
export const seriesOfBrand = `select '' union select country from unit_markets where brand_id = $1`;

export type SeriesDay = DayMethod & { run_date: string; country: string; units_total: number };

/** The day rows of every series of a brand in a range of days. */
export function listSeriesDays(
  db: Queryable,
  brandId: string,
  { from, to }: DateWindow,
): Promise<SeriesDay[]> {
  return many<SeriesDay>(db, {
    name: 'results.list_series_days',
    text: `select run_date, country, units_total, method_version, sentiment_count > 0 as has_sentiment
           from scores
           where brand_id = $1 and country = any (array (${seriesOfBrand})) and run_date between $2 and $3
           order by run_date`,
    values: [brandId, from, to],
  });
}

/** The method versions of series in a range of days. `countries` is null for the series over all markets. */
export function listMethodVersions(
  db: Queryable,
  { brandIds, countries }: { brandIds: readonly string[]; countries: readonly string[] | null },
  { from, to }: DateWindow,
): Promise<(DayMethod & { brand_id: string })[]> {
  return many(db, {
    name: 'results.list_method_versions',
    text: `select s.* from brand_tokens t cross join lateral (
             select distinct brand_id, method_version, sentiment_count > 0 as has_sentiment from scores
             where brand_id = t.brand_id and brand_id = any ($1) and country = any ($2) and run_date between $3 and $4) s
           where t.brand_id = any ($1::uuid[])`,
    values: [brandIds, countries ?? [''], from, to],
  });
}

type DayPage = { brandId: string; runDate: string; countries: string[]; limit: number };

/** At most `limit` series of a brand's day: the all-market series, then `countries`, then the others by country. */
export function listScoresOfDay(db: Queryable, page: DayPage): Promise<ScoreRow[]> {
  return many<ScoreRow>(db, {
    name: 'results.list_scores_of_day',
    text: `${selectScores} where s.brand_id = $1 and s.run_date = $2
           order by s.country <> '', s.country <> all ($3::text[]), s.country limit $4`,
    values: [page.brandId, page.runDate, page.countries, page.limit],
  });
}

export type ScorePage = {
  brandId: string;
  country: string;
  from: string;
  to: string;
  /** Day of the last row of the previous page; null for the first page. */
  before: string | null;
  limit: number;
};

/** Most of the size of a row with its previous one: a day of imported answers may have any number of models. */
export const modelBytes = `octet_length(models::text) + coalesce(octet_length(previous_models::text), 0)`;

/** A page of one series, newest day first. */
export function listScoreRows(db: Queryable, page: ScorePage): Promise<Paged<ScoreRow>[]> {
  return many(db, {
    name: 'results.list_scores',
    text: limitPageBytes({
      columns: `run_date, computed_at, ${values}, models, prompts_measured, previous_score, previous_sentiment,
        previous_models`,
      order: 'run_date desc',
      bytes: modelBytes,
      rows: `${selectScores}
           where s.brand_id = $1 and s.country = $2 and s.run_date between $3 and $4
             and ($5::date is null or s.run_date < $5)
           order by s.run_date desc limit $6`,
    }),
    values: [page.brandId, page.country, page.from, page.to, page.before, page.limit],
  });
}

/** The newest day of one series. `country` is '' in the all-market series. */
export type NewestDay = {
  country: string;
  run_date: string;
  score: number | null;
  sentiment: number | null;
  earlier_score: number | null;
  earlier_sentiment: number | null;
};

/** The latest earlier value of a column: days without a value are skipped. */
const earlier = (column: 'score' | 'sentiment'): string => `left join lateral (
    select p.${column} as value from scores p
    where p.brand_id = $1 and p.country = newest.country and p.run_date < newest.run_date
      and p.${column} is not null
    order by p.run_date desc limit 1) earlier_${column} on true`;

/**
 * The newest day of each series of a brand, with the latest earlier values. Returns at most `limit` series: first the
 * all-market series, then `countries`, then the series with the newest days.
 */
export function listNewestDays(
  db: Queryable,
  brandId: string,
  { countries, limit }: { countries: string[]; limit: number },
): Promise<NewestDay[]> {
  return many<NewestDay>(db, {
    name: 'results.list_newest_days',
    text: `select newest.country, newest.run_date, newest.score, newest.sentiment,
             earlier_score.value as earlier_score, earlier_sentiment.value as earlier_sentiment
           from (
             select day.* from (
               select '' as country union select country from unit_markets where brand_id = $1) series
             cross join lateral (
               select s.country, s.run_date, s.score, s.sentiment from scores s
               where s.brand_id = $1 and s.country = series.country
               order by s.run_date desc limit 1) day
             order by day.country <> '', day.country <> all ($2::text[]), day.run_date desc, day.country
             limit $3) newest
             ${earlier('score')}
             ${earlier('sentiment')}
           order by newest.country`,
    values: [brandId, countries, limit],
  });
}
