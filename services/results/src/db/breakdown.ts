import type { BreakdownBy, BreakdownSeries, DateWindow } from '@bv/contract';
import { many, type Queryable } from '@bv/postgres';
import { addDays } from '../domain/calendar.ts';

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
  /** The platforms, markets or models that count; null for all, and where `prompts` says it. */
  keys: string[] | null;
  /** The first and the last row of a page of a series; null for all rows. */
  range: { first: SliceKey; last: SliceKey } | null;
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
const countedCells = ({ by, series }: BreakdownQuery, joined = ''): string =>
  `cell_days c ${joined}
     left join unnest($6::uuid[], $7::text[]) as s (prompt_id, key) on s.prompt_id = c.prompt_id
   where c.brand_id = $1 and c.run_date between $2 and $3 and ($4::text is null or c.platform = $4)
     and ($5::text is null or c.country = $5) and ($6::uuid[] is null or s.key is not null)
     and ($8::text[] is null or ${keyOf[by]} = any($8))
     and ($9::text is null or ((${keyOf[by]}, ${dateOf[series]}) >= ($9, $10::date)
       and (${keyOf[by]}, ${dateOf[series]}) <= ($11, $12::date)))`;

const toValues = ({
  brandId,
  window,
  platform,
  country,
  prompts,
  keys,
  range,
}: BreakdownQuery): unknown[] => [
  brandId,
  window.from,
  window.to,
  platform,
  country,
  prompts?.ids ?? null,
  prompts?.keys ?? null,
  keys,
  range?.first.key,
  range?.first.date,
  range?.last.key,
  range?.last.date,
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
             select ${keyOf[query.by]} as key, ${dateOf[query.series]} as date from ${countedCells(query)}
             group by 1, 2) slices
           where $13::text is null or key > $13 or (key = $13 and date > $14::date)
           order by key, date limit $15`,
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
  /** Of each competitor: answers that mention it, and the mean over the cells searched for it; null without any. */
  competitor_mentions: (number | null)[];
  competitor_rates: (number | null)[];
};

/**
 * The query of the cells of a page. Prompts and days are narrowed here instead of by a join with the page, because
 * Postgres cannot estimate how many rows such a join leaves.
 */
export function narrowToPage(query: BreakdownQuery, page: readonly SliceKey[]): BreakdownQuery {
  const keys = [...new Set(page.map(({ key }) => key))];
  const [first, last] = [page[0], page.at(-1)];
  const range = query.series === 'none' || !first || !last ? null : { first, last };
  const narrowed = { ...query, range, window: toWindow(query, page) };
  if (query.by === 'prompt') return { ...narrowed, prompts: { ids: keys, keys } };
  if (query.by !== 'tag' && query.by !== 'prompt_kind') return { ...narrowed, keys };
  const wanted = new Set(keys);
  const slices = (query.prompts?.ids ?? [])
    .map((id, index) => ({ id, key: query.prompts?.keys[index] ?? '' }))
    .filter(({ key }) => wanted.has(key));
  return {
    ...narrowed,
    prompts: { ids: slices.map(({ id }) => id), keys: slices.map(({ key }) => key) },
  };
}

/** The days of the window that the rows of a page can hold. */
function toWindow({ series, window }: BreakdownQuery, page: readonly SliceKey[]): DateWindow {
  const days = page.flatMap(({ date }) => date ?? []).toSorted();
  const [first = window.from, newest] = [days[0], days.at(-1)];
  const last = newest === undefined ? window.to : addDays(newest, series === 'week' ? 6 : 0);
  return { from: first > window.from ? first : window.from, to: last < window.to ? last : window.to };
}

/** An entry for each prompt with an answered unit. */
const listPrompts = (value: string): string =>
  `coalesce(array_agg(${value}) filter (where answered > 0), '{}')`;

/** Columns of the competitors by cell and by prompt, and their lists in a slice. */
function competitorColumns(count: number) {
  const places = Array.from({ length: count }, (_, index) => index + 1);
  const columns = (toColumns: (place: number) => string): string =>
    places.map((n) => `, ${toColumns(n)}`).join('');
  const list = (toValue: (place: number) => string): string =>
    `array[${places.map(toValue).join(', ')}]::float8[]`;
  return {
    ofCells: columns(
      (n) => `sum(c.competitor_units[x.places[${n}]])::int as u${n},
        sum(c.competitor_mentions[x.places[${n}]])::int as m${n}`,
    ),
    ofPrompts: columns(
      (n) => `sum(m${n})::int as m${n}, sum(100 * m${n}::float8 / nullif(u${n}, 0)) as r${n},
        nullif(count(*) filter (where u${n} > 0), 0) as k${n}`,
    ),
    mentions: list((n) => `sum(m${n})`),
    rates: list((n) => `sum(r${n}) / sum(k${n})`),
  };
}

/** Where the competitors of a row are in the lists of each set, from 1; null where a set lacks one. */
export type CompetitorPlaces = { id: string; places: (number | null)[] }[];

/**
 * The slices of a narrowed query, in no particular order. A cell is a prompt, country and platform within a slice. Each
 * of the `competitors` is a column of its own: rows for them would be thousands for each cell.
 */
export function listSlices(
  db: Queryable,
  query: BreakdownQuery,
  { competitors, places }: { competitors: number; places: CompetitorPlaces },
): Promise<SliceRow[]> {
  const columns = competitorColumns(competitors);
  return many<SliceRow>(db, {
    name: 'results.list_slices',
    prepare: false,
    text: `with cells as (
             select ${keyOf[query.by]} as key, ${dateOf[query.series]} as date, c.prompt_id,
               sum(units_total)::int as units_total, sum(units_answered)::int as answered,
               sum(units_mentioned)::int as mentioned, sum(units_cited)::int as cited,
               sum(units_mentioned_cited)::int as mentioned_cited,
               sum(units_answered - units_citations_unknown)::int as citable, sum(unit_score_sum) as unit_score_sum,
               sum(position_sum)::float8 / nullif(sum(units_mentioned), 0) as position,
               sum(sentiment_sum::float8) / nullif(sum(sentiment_count), 0) as sentiment,
               coalesce(sum(units_mentioned) filter (where mentions is not null), 0)::int as own_mentions,
               coalesce(sum(mentions), 0)::int as all_mentions${columns.ofCells}
             from ${countedCells(query, `left join jsonb_to_recordset($13) as x (id uuid, places int[]) on x.id = c.competitor_set`)}
             group by 1, 2, 3, c.country, c.platform
           ), prompts as (
             select key, date, prompt_id, sum(units_total)::int as units_total, sum(answered)::int as answered,
               sum(mentioned)::int as mentioned, sum(cited)::int as cited, sum(mentioned_cited)::int as mentioned_cited,
               sum(citable)::int as citable, count(*) filter (where answered > 0) as answered_cells,
               count(*) filter (where citable > 0) as citable_cells,
               sum(unit_score_sum / nullif(answered, 0)) as scores,
               sum(100 * mentioned::float8 / nullif(answered, 0)) as mention_rates,
               sum(100 * cited::float8 / nullif(citable, 0)) as citation_rates,
               sum(position) as positions, count(position) as position_cells,
               sum(sentiment) as sentiments, count(sentiment) as sentiment_cells,
               sum(own_mentions)::int as own_mentions, sum(all_mentions)::int as all_mentions${columns.ofPrompts}
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
             ${listPrompts('answered')} as answered, ${listPrompts('citable')} as citable,
             ${listPrompts('mentioned')} as mentioned, ${listPrompts('cited')} as cited,
             ${listPrompts('coalesce(positions, 0)')} as position_sums, ${listPrompts('position_cells::int')} as position_cells,
             ${listPrompts('own_mentions')} as own_mentions, ${listPrompts('all_mentions')} as all_mentions,
             ${columns.mentions} as competitor_mentions,
             ${columns.rates} as competitor_rates
           from prompts group by key, date`,
    values: [...toValues(query), JSON.stringify(places)],
  });
}
