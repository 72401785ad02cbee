import type { BreakdownBy, BreakdownSeries, DateWindow } from '@bv/contract';
import { many, type Queryable } from '@bv/postgres';

/** Which units a breakdown counts, and what its rows are slices of. */
export type BreakdownQuery = {
  brandId: string;
  window: DateWindow;
  platform: string | null;
  country: string | null;
  by: BreakdownBy;
  series: BreakdownSeries;
  /** The prompts that count, each with a key for every slice that it is in; null for all prompts. */
  prompts: { ids: string[]; keys: string[] } | null;
};

/** Identifies a row: `date` is null without a series. */
export type SliceKey = { key: string; date: string | null };

const keyOf: Record<BreakdownBy, string> = {
  prompt: 'c.prompt_id::text',
  tag: 's.key',
  platform: 'c.platform',
  country: 'c.country',
  model: `c.platform || '/' || c.model`,
  prompt_kind: 's.key',
};

const dateOf: Record<BreakdownSeries, string> = {
  none: 'null::date',
  day: 'c.run_date',
  week: 'c.run_date - (extract(isodow from c.run_date)::int - 1)',
};

/** The days of the cells that count, as `c`, in a from clause and its conditions. The parameters are those of `toValues`. */
const countedCells = (joined = ''): string =>
  `cell_days c ${joined}
     left join unnest($6::uuid[], $7::text[]) as s (prompt_id, key) on s.prompt_id = c.prompt_id
   where c.brand_id = $1 and c.run_date between $2 and $3 and ($4::text is null or c.platform = $4)
     and ($5::text is null or c.country = $5) and ($6::uuid[] is null or s.key is not null)`;

const toValues = ({ brandId, window, platform, country, prompts }: BreakdownQuery): unknown[] => [
  brandId,
  window.from,
  window.to,
  platform,
  country,
  prompts?.ids ?? null,
  prompts?.keys ?? null,
];

/** The keys of a page, by code points, then date. */
export function listSliceKeys(
  db: Queryable,
  query: BreakdownQuery,
  { after, limit }: { after: SliceKey | null; limit: number },
): Promise<SliceKey[]> {
  return many<SliceKey>(db, {
    name: 'results.list_slice_keys',
    prepare: false,
    text: `select key, date from (
             select ${keyOf[query.by]} as key, ${dateOf[query.series]} as date from ${countedCells()}
               and c.units_total > 0 group by 1, 2) slices
           where $8::text is null or key collate "C" > $8 or (key = $8 and date > $9::date)
           order by key collate "C", date limit $10`,
    values: [...toValues(query), after?.key ?? null, after?.date ?? null, limit],
  });
}

/** Sums of a slice, means over its cells, and an entry for each prompt with an answered unit in each list. */
export type SliceRow = SliceKey & {
  units_total: number;
  units_answered: number;
  units_mentioned: number;
  units_cited: number;
  units_mentioned_cited: number;
  score: number | null;
  mention_rate: number | null;
  citation_rate: number | null;
  average_position: number | null;
  sentiment: number | null;
  /** Answered units, those of which the citations are known, and those that mention or cite the brand. */
  answered: number[];
  citable: number[];
  mentioned: number[];
  cited: number[];
  /** Sum of the mean positions of the cells, and their number. */
  position_sums: number[];
  position_cells: number[];
  own_mentions: number[];
  all_mentions: number[];
};

const ofPage = (query: BreakdownQuery): string =>
  `(${keyOf[query.by]}, coalesce(${dateOf[query.series]}, '0001-01-01'))
     in (select p.key, coalesce(p.date, '0001-01-01') from unnest($8::text[], $9::date[]) as p (key, date))`;

const toPageValues = (query: BreakdownQuery, page: readonly SliceKey[]): unknown[] => [
  ...toValues(query),
  page.map(({ key }) => key),
  page.map(({ date }) => date),
];

/** The slices of a page, in no particular order. A cell is a prompt, country and platform within a slice. */
export function listSlices(
  db: Queryable,
  query: BreakdownQuery,
  page: readonly SliceKey[],
): Promise<SliceRow[]> {
  return many<SliceRow>(db, {
    name: 'results.list_slices',
    prepare: false,
    text: `with cells as (
             select ${keyOf[query.by]} as key, ${dateOf[query.series]} as date, c.prompt_id,
               sum(units_total) as units_total, sum(units_answered) as answered, sum(units_mentioned) as mentioned,
               sum(units_cited) as cited, sum(units_mentioned_cited) as mentioned_cited,
               sum(units_answered - units_citations_unknown) as citable, sum(unit_score_sum) as unit_score_sum,
               sum(position_sum)::float8 / nullif(sum(units_mentioned), 0) as position,
               sum(sentiment_sum)::float8 / nullif(sum(sentiment_count), 0) as sentiment,
               coalesce(sum(units_mentioned) filter (where mentions is not null), 0) as own_mentions,
               coalesce(sum(mentions), 0) as all_mentions
             from ${countedCells()} and ${ofPage(query)}
             group by 1, 2, 3, c.country, c.platform
           ), prompts as (
             select key, date, prompt_id, sum(units_total) as units_total, sum(answered) as answered,
               sum(mentioned) as mentioned, sum(cited) as cited, sum(mentioned_cited) as mentioned_cited,
               sum(citable) as citable,
               count(*) filter (where answered > 0) as answered_cells, count(*) filter (where citable > 0) as citable_cells,
               sum(unit_score_sum / nullif(answered, 0)) as scores, sum(100 * mentioned::float8 / nullif(answered, 0)) as mention_rates,
               sum(100 * cited::float8 / nullif(citable, 0)) as citation_rates,
               sum(position) as positions, count(position) as position_cells,
               sum(sentiment) as sentiments, count(sentiment) as sentiment_cells,
               sum(own_mentions) as own_mentions, sum(all_mentions) as all_mentions
             from cells group by 1, 2, 3
           )
           select key, date, sum(units_total)::int as units_total, sum(answered)::int as units_answered,
             sum(mentioned)::int as units_mentioned, sum(cited)::int as units_cited,
             sum(mentioned_cited)::int as units_mentioned_cited,
             sum(scores) / nullif(sum(answered_cells), 0)::float8 as score,
             sum(mention_rates) / nullif(sum(answered_cells), 0)::float8 as mention_rate,
             sum(citation_rates) / nullif(sum(citable_cells), 0)::float8 as citation_rate,
             sum(positions) / nullif(sum(position_cells), 0)::float8 as average_position,
             sum(sentiments) / nullif(sum(sentiment_cells), 0)::float8 as sentiment,
             ${listsOfPrompts}
           from prompts group by key, date`,
    values: toPageValues(query, page),
  });
}

const listsOfPrompts = [
  'answered::int as answered',
  'citable::int as citable',
  'mentioned::int as mentioned',
  'cited::int as cited',
  'coalesce(positions, 0)::float8 as position_sums',
  'position_cells::int as position_cells',
  'own_mentions::int as own_mentions',
  'all_mentions::int as all_mentions',
]
  .map((each) => each.split(' as '))
  .map(([value, name]) => `coalesce(array_agg(${value}) filter (where answered > 0), '{}') as ${name}`)
  .join(', ');

/** A competitor in a slice: answers that mention it, and the mean over the cells that were searched for it. */
export type SliceCompetitor = SliceKey & {
  brand_id: string;
  units_mentioned: number;
  mention_rate: number;
};

export function listSliceCompetitors(
  db: Queryable,
  query: BreakdownQuery,
  { page, brandIds }: { page: readonly SliceKey[]; brandIds: readonly string[] },
): Promise<SliceCompetitor[]> {
  return many<SliceCompetitor>(db, {
    name: 'results.list_slice_competitors',
    prepare: false,
    text: `with cells as (
             select ${keyOf[query.by]} as key, ${dateOf[query.series]} as date, b.brand_id, sum(b.units) as units,
               sum(b.mentioned) as mentioned
             from ${countedCells(`cross join lateral
               unnest(c.competitor_ids, c.competitor_units, c.competitor_mentions) as b (brand_id, units, mentioned)`)}
               and ${ofPage(query)} and b.brand_id = any($10::uuid[])
             group by 1, 2, 3, c.prompt_id, c.country, c.platform
           )
           select key, date, brand_id, sum(mentioned)::int as units_mentioned,
             avg(100 * mentioned::float8 / units) as mention_rate
           from cells group by key, date, brand_id`,
    values: [...toPageValues(query, page), brandIds],
  });
}
