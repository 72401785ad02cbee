import type { DateWindow } from '@bv/contract';
import { many, type Queryable } from '@bv/postgres';
import type { ComparedCell, Metric } from '@bv/statistics';

/** The answers of own brands that are compared. Lists are null for all. */
export type ComparedSeries = {
  brandIds: readonly string[];
  promptIds?: readonly string[] | null;
  countries: readonly string[] | null;
  platforms: readonly string[] | null;
};

type Row = {
  brand_id: string;
  prompt_id: string;
  country: string;
  platform: string;
  model: string;
  surfaces: string[];
  searched_brands: string[];
  units: number;
  part: number;
  whole: number;
};

/**
 * The cells of a window, with the sums that a metric needs; the others are 0. A cell whose days differ in models,
 * surfaces or searched brands has several rows. Few columns, because those of many brands are read at once.
 */
export async function listMetricCells(
  db: Queryable,
  { brandIds, promptIds = null, countries, platforms, metric }: ComparedSeries & { metric: Metric },
  { from, to }: DateWindow,
): Promise<Map<string, ComparedCell[]>> {
  const rows = await many<Row>(db, {
    name: 'results.list_metric_cells',
    text: `select c.* from brand_tokens t cross join lateral (
             select brand_id, prompt_id, country, platform, model, surfaces, searched_brands, sum(units_answered)::int as units,
               sum(case $6::text when 'score' then unit_score_sum when 'mention_rate' then units_mentioned
                 when 'citation_rate' then units_cited when 'sentiment' then sentiment_sum
                 when 'share_of_voice' then case when mentions is null then 0 else units_mentioned end
               end::float8) as part,
               sum(case $6 when 'citation_rate' then units_citations_unknown when 'sentiment' then sentiment_count
                 when 'share_of_voice' then coalesce(mentions, 0) else 0 end)::int as whole
             from cell_days
             where brand_id = t.brand_id and brand_id = any ($1) and run_date between $2 and $3
               and ($4::text[] is null or country = any ($4)) and ($5::text[] is null or platform = any ($5))
               and ($7::uuid[] is null or prompt_id in (select unnest($7)))
             group by brand_id, prompt_id, country, platform, model, surfaces, searched_brands) c
           where t.brand_id = any ($1::uuid[])`,
    values: [brandIds, from, to, countries, platforms, metric, promptIds],
  });
  const cells = new Map<string, ComparedCell[]>();
  for (const row of rows) {
    const ofBrand = cells.get(row.brand_id);
    if (ofBrand === undefined) cells.set(row.brand_id, [toCell(row, metric)]);
    else ofBrand.push(toCell(row, metric));
  }
  return cells;
}

const toCell = ({ units, part, whole, ...row }: Row, metric: Metric): ComparedCell => ({
  promptId: row.prompt_id,
  country: row.country,
  platform: row.platform,
  units,
  mentioned: metric === 'mention_rate' ? part : 0,
  cited: metric === 'citation_rate' ? part : 0,
  citationsUnknown: metric === 'citation_rate' ? whole : 0,
  unitScoreSum: metric === 'score' ? part : 0,
  positionSum: 0,
  sentimentSum: metric === 'sentiment' ? part : 0,
  sentimentCount: metric === 'sentiment' ? whole : 0,
  ownMentions: metric === 'share_of_voice' ? part : 0,
  allMentions: metric === 'share_of_voice' ? whole : 0,
  models: row.model === '' ? [] : [row.model],
  surfaces: row.surfaces,
  searchedBrands: row.searched_brands,
});
