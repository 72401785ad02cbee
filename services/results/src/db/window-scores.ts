import type { DateWindow } from '@bv/contract';
import { execute, limitPageBytes, many, type Paged, type Queryable } from '@bv/postgres';
import type { WindowFigures } from '../domain/window-scores.ts';
import type { DayModel } from './day-sums.ts';
import { modelBytes, type ScorePage, seriesOfBrand } from './scores.ts';

/** Number of days that a row pools. */
export type WindowDays = 7 | 28;

/** The stored values of a series over the days up to one. `country` is '' in the all-market series. */
export type WindowScoreValues = WindowFigures & { country: string; method_version: string };

export type WindowScoreRow = WindowScoreValues & {
  run_date: string;
  computed_at: string;
  previous_score: number | null;
  /** Null in the first row of the series. */
  previous_models: DayModel[] | null;
};

const values = `country, score, mention_rate, mention_rate_low, mention_rate_high, average_position,
  average_position_low, average_position_high, sentiment, citation_rate, citation_rate_low, citation_rate_high,
  share_of_voice, share_of_voice_low, share_of_voice_high, units_total, units_answered, units_mentioned, units_cited,
  units_citations_unknown, units_mentioned_cited, units_informative, informative_rate, units_effective, position_sum, sentiment_sum, sentiment_count,
  platforms, models, prompts_measured, method_version`;

type WindowEnd = { brandId: string; windowDays: WindowDays; runDate: string };

/** Deletes the rows of every series that end in a range of days. */
export function deleteWindowScores(
  db: Queryable,
  brandId: string,
  { windowDays, from, to }: DateWindow & { windowDays: WindowDays },
): Promise<number> {
  return execute(db, {
    name: 'results.delete_window_scores',
    text: `delete from window_scores
           where brand_id = $1 and window_days = $2 and run_date between $3 and $4
             and country = any (array (${seriesOfBrand}))`,
    values: [brandId, windowDays, from, to],
  });
}

export function insertWindowScores(
  db: Queryable,
  { brandId, windowDays, runDate }: WindowEnd,
  rows: readonly WindowScoreValues[],
): Promise<number> {
  return execute(db, {
    name: 'results.insert_window_scores',
    text: `insert into window_scores (brand_id, window_days, run_date, computed_at, ${values})
           select $1, $2, $3, clock_timestamp(), ${values}
           from jsonb_populate_recordset(null::window_scores, $4::jsonb)`,
    values: [brandId, windowDays, runDate, JSON.stringify(rows)],
  });
}

type WindowScorePage = ScorePage & { windowDays: WindowDays };

/** A page of one series, newest row first, each with the previous row of the series. */
export function listWindowScoreRows(db: Queryable, page: WindowScorePage): Promise<Paged<WindowScoreRow>[]> {
  return many(db, {
    name: 'results.list_window_scores',
    text: limitPageBytes({
      columns: `run_date, computed_at, ${values}, previous_score, previous_models`,
      order: 'run_date desc',
      bytes: modelBytes,
      rows: `select s.*, previous.score as previous_score, previous.models as previous_models
           from window_scores s left join lateral (
             select p.score, p.models from window_scores p
             where p.brand_id = $1 and p.country = s.country and p.window_days = s.window_days
               and p.run_date < s.run_date
             order by p.run_date desc limit 1) previous on true
           where s.brand_id = $1 and s.country = $2 and s.window_days = $7 and s.run_date between $3 and $4
             and ($5::date is null or s.run_date < $5)
           order by s.run_date desc limit $6`,
    }),
    values: [page.brandId, page.country, page.from, page.to, page.before, page.limit, page.windowDays],
  });
}
