import type { DateWindow, PlatformId, PrecisionMetric } from '@bv/contract';
import { many, type Queryable } from '@bv/postgres';
import type { ObservedCell, Spread } from '@bv/statistics';

/** The answers of an own brand whose precision is wanted. `country` and `platform` are null for all. */
export type PrecisionSeries = {
  brandId: string;
  metric: PrecisionMetric;
  country: string | null;
  platform: string | null;
};

/**
 * The answers of a cell on a day, and the sums of their values and of the squared values. A score does not count the days
 * that lack the sum of squares. The parameters are the first of every query.
 */
const days = `(
  select prompt_id, country, platform, model, run_date,
    case when $6 = 'citation_rate' then units_answered - units_citations_unknown
         when $6 = 'score' and unit_score_squares is null then 0 else units_answered end as n,
    case when $6 = 'score' then unit_score_sum
         else 100::float8 * case $6 when 'citation_rate' then units_cited else units_mentioned end end as sum,
    case when $6 = 'score' then unit_score_squares
         else 10000::float8 * case $6 when 'citation_rate' then units_cited else units_mentioned end end as squares
  from cell_days
  where brand_id = $1 and run_date between $2 and $3 and ($4::text is null or country = $4)
    and ($5::text is null or platform = $5)) days where n > 0`;

const toValues = (
  { brandId, country, platform, metric }: PrecisionSeries,
  { from, to }: DateWindow,
): unknown[] => [brandId, from, to, country, platform, metric];

export function listObservedCells(
  db: Queryable,
  series: PrecisionSeries,
  window: DateWindow,
): Promise<(ObservedCell & { platform: PlatformId })[]> {
  return many<ObservedCell & { platform: PlatformId }>(db, {
    name: 'results.list_observed_cells',
    prepare: false,
    text: `select prompt_id as prompt, country || ' ' || platform as stratum, platform, sum(n)::int as n,
             sum(sum) as sum, sum(squares) as squares
           from ${days} group by prompt_id, country, platform`,
    values: toValues(series, window),
  });
}

/** How the differences of prompts between two neighbouring windows of so many days vary. */
export type SpreadRow = Spread & { days: 7 | 28 };

/**
 * The pairs of neighbouring windows counted back from the last day of `window`, which has 13 weeks. As in a comparison,
 * the difference of a prompt is the mean of those of its cells with an answer in both windows.
 */
export function listSpreads(
  db: Queryable,
  series: PrecisionSeries,
  window: DateWindow,
): Promise<SpreadRow[]> {
  return many<SpreadRow>(db, {
    name: 'results.list_spreads',
    prepare: false,
    text: `with weeks as (
             select prompt_id, country, platform, ($3::date - run_date) / 7 as week, sum(n) as n, sum(sum) as sum
             from ${days} group by 1, 2, 3, 4
           ), windows as (
             select 7 as days, prompt_id, country, platform, week as place, sum / n as value from weeks
             union all
             select 28, prompt_id, country, platform, week / 4, sum(sum) / sum(n) from weeks where week < 12
             group by 2, 3, 4, 5
           ), neighbours as (
             select *, lead(place) over w as place_before, lead(value) over w as value_before from windows
             window w as (partition by days, prompt_id, country, platform order by place)
           ), differences as (
             select days, place, avg(value - value_before) as difference from neighbours
             where place_before = place + 1 group by days, place, prompt_id
           )
           select days, count(*)::int as prompts, var_samp(difference) as variance
           from differences group by days, place having count(*) > 1`,
    values: toValues(series, window),
  });
}

/** A model of a platform, and whether it answered before `middle` and from then on. */
export type ModelRow = { platform: string; model: string; is_earlier: boolean; is_later: boolean };

export function listModels(
  db: Queryable,
  series: PrecisionSeries,
  { middle, ...window }: DateWindow & { middle: string },
): Promise<ModelRow[]> {
  return many<ModelRow>(db, {
    name: 'results.list_models',
    prepare: false,
    text: `select platform, model, bool_or(run_date < $7) as is_earlier, bool_or(run_date >= $7) as is_later
           from ${days} and model <> '' group by platform, model`,
    values: [...toValues(series, window), middle],
  });
}
