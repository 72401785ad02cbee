import { type DateWindow, platformSurfaces } from '@bv/contract';
import { execute, many, one, type Queryable } from '@bv/postgres';
import type { ComparedCell } from '@bv/statistics';
import type { WindowCell } from '../domain/window-cells.ts';
import { isCitationUnknown } from './units.ts';

/** Sums of the units of one cell and model. `model` is '' where the platform named none. */
export type CellSumRow = {
  prompt_id: string;
  country: string;
  platform: string;
  model: string;
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
  /** Of the days whose mentions of all brands are known. */
  own_mentions: number;
  all_mentions: number;
};

export const toWindowCell = (row: CellSumRow): WindowCell => ({
  promptId: row.prompt_id,
  country: row.country,
  platform: row.platform,
  model: row.model,
  unitsTotal: row.units_total,
  units: row.units_answered,
  mentioned: row.units_mentioned,
  cited: row.units_cited,
  citationsUnknown: row.units_citations_unknown,
  mentionedCited: row.units_mentioned_cited,
  read: row.units_read,
  informative: row.units_informative,
  unitScoreSum: row.unit_score_sum,
  positionSum: row.position_sum,
  sentimentSum: row.sentiment_sum,
  sentimentCount: row.sentiment_count,
  ownMentions: row.own_mentions,
  allMentions: row.all_mentions,
});

const columns = `prompt_id, country, platform, model, units_total, units_answered, units_mentioned, units_cited,
  units_citations_unknown, units_mentioned_cited, units_read, units_informative, unit_score_sum, position_sum,
  sentiment_sum, sentiment_count, mentions`;

/** A longer name of a model would not fit into the primary key. */
const model = `left(coalesce(model, ''), 200)`;

const mentioned = `filter (where outcome = 'answered' and mentioned)`;

const unitScore = '100 / (1 + 0.1::float8 * (position - 1))';

const sumsOfUnits = `count(*) as units_total,
  count(*) filter (where outcome = 'answered') as units_answered,
  count(*) ${mentioned} as units_mentioned,
  count(*) filter (where outcome = 'answered' and cited) as units_cited,
  count(*) filter (where outcome = 'answered' and ${isCitationUnknown}) as units_citations_unknown,
  count(*) filter (where outcome = 'answered' and mentioned and cited) as units_mentioned_cited,
  count(informative) as units_read, count(*) filter (where informative) as units_informative,
  coalesce(sum(${unitScore}) ${mentioned}, 0) as unit_score_sum,
  coalesce(sum((${unitScore}) ^ 2) ${mentioned}, 0) as unit_score_squares,
  coalesce(sum(position) ${mentioned}, 0) as position_sum,
  coalesce(sum(sentiment) ${mentioned}, 0) as sentiment_sum,
  count(sentiment) ${mentioned} as sentiment_count,
  coalesce(array_agg(distinct coalesce(surface, $3::jsonb ->> platform)) filter (where outcome = 'answered'), '{}')
    as surfaces,
  coalesce(array_agg(distinct searched_brands)
    filter (where outcome = 'answered' and searched_brands is not null), '{}') as searched_brands`;

const listCompetitors = (column: string): string =>
  `array_agg(${column} order by ids) filter (where not is_own) as competitor_${column}`;

const cellOfUnit = `prompt_id, country, platform, ${model}`;

/** Replaces the sums of a brand's day by those of its units. The caller holds the lock of the brand's token row. */
export async function replaceCellDays(db: Queryable, brandId: string, runDate: string): Promise<void> {
  await execute(db, {
    name: 'results.delete_cell_days',
    text: 'delete from cell_days where brand_id = $1 and run_date = $2',
    values: [brandId, runDate],
  });
  await execute(db, {
    name: 'results.insert_cell_days',
    text: `insert into cell_days (brand_id, run_date, ${columns}, unit_score_squares, surfaces, searched_brands,
             competitor_set, competitor_units, competitor_mentions)
           with sums as (
             select brand_id, run_date, ${cellOfUnit} as model, ${sumsOfUnits}
             from units where brand_id = $1 and run_date = $2 group by brand_id, run_date, ${cellOfUnit}
           ), found as (
             select ${cellOfUnit} as model, b.brand_id as ids, b.is_own, count(*) as units,
               count(*) filter (where b.mentioned) as mentions
             from units u join unit_brands b on b.own_brand_id = $1 and b.unit_id = u.id
             where u.brand_id = $1 and u.run_date = $2 and outcome = 'answered'
             group by ${cellOfUnit}, b.brand_id, b.is_own
           ), brands as (
             select prompt_id, country, platform, model, sum(mentions) as mentions, ${listCompetitors('ids')},
               ${listCompetitors('units')}, ${listCompetitors('mentions')}
             from found group by prompt_id, country, platform, model
           )
           select brand_id, run_date, ${columns}, unit_score_squares, surfaces, searched_brands, md5(competitor_ids::text)::uuid,
             coalesce(competitor_units, '{}'), coalesce(competitor_mentions, '{}')
           from (select sums.*, coalesce(brands.mentions, 0) as mentions, competitor_ids, competitor_units,
                   competitor_mentions
                 from sums left join brands using (prompt_id, country, platform, model)) cells`,
    values: [brandId, runDate, JSON.stringify(platformSurfaces)],
  });
  await execute(db, {
    name: 'results.insert_competitor_sets',
    // A day with known sets, as most have, reads no answers.
    text: `insert into competitor_sets (own_brand_id, id, competitor_ids)
           select distinct brand_id, md5(ids::text)::uuid, ids
           from (select u.brand_id, array_agg(distinct b.brand_id order by b.brand_id) as ids
                 from units u join unit_brands b on b.own_brand_id = u.brand_id and b.unit_id = u.id
                 where u.brand_id = $1 and u.run_date = $2 and outcome = 'answered' and not b.is_own
                 group by u.brand_id, ${cellOfUnit}) sets
           where exists (
             select 1 from cell_days c where c.brand_id = $1 and c.run_date = $2 and c.competitor_set is not null
               and not exists (
                 select 1 from competitor_sets s where s.own_brand_id = $1 and s.id = c.competitor_set))
           on conflict do nothing`,
    values: [brandId, runDate],
  });
}

/**
 * Whether the sums of a brand's day include all its units: those of a running import or scan wait for their scoring. The
 * caller holds the lock of the brand's token row.
 */
export async function isDayScored(db: Queryable, brandId: string, runDate: string): Promise<boolean> {
  const { is_scored: isScored } = await one<{ is_scored: boolean }>(db, {
    name: 'results.is_day_scored',
    text: `select count(*) = (
             select coalesce(sum(units_total), 0) from cell_days where brand_id = $1 and run_date = $2) as is_scored
           from units where brand_id = $1 and run_date = $2`,
    values: [brandId, runDate],
  });
  return isScored;
}

/** Sums over the days of `added` minus those of `removed`. */
export function listCellChanges(
  db: Queryable,
  brandId: string,
  { added, removed }: { added: DateWindow; removed: DateWindow | null },
): Promise<CellSumRow[]> {
  return many<CellSumRow>(db, {
    name: 'results.list_cell_changes',
    text: `select prompt_id, country, platform, model,
             sum(sign * units_total) as units_total, sum(sign * units_answered) as units_answered,
             sum(sign * units_mentioned) as units_mentioned, sum(sign * units_cited) as units_cited,
             sum(sign * units_citations_unknown) as units_citations_unknown,
             sum(sign * units_mentioned_cited) as units_mentioned_cited,
             sum(sign * units_read) as units_read, sum(sign * units_informative) as units_informative,
             sum(sign * unit_score_sum) as unit_score_sum, sum(sign * position_sum) as position_sum,
             sum(sign * sentiment_sum) as sentiment_sum, sum(sign * sentiment_count) as sentiment_count,
             coalesce(sum(sign * units_mentioned) filter (where mentions is not null), 0) as own_mentions,
             coalesce(sum(sign * mentions), 0) as all_mentions
           from (
             select 1 as sign, ${columns} from cell_days where brand_id = $1 and run_date between $2 and $3
             union all
             select -1, ${columns} from cell_days where brand_id = $1 and run_date between $4 and $5) days
           group by prompt_id, country, platform, model`,
    values: [brandId, added.from, added.to, removed?.from ?? null, removed?.to ?? null],
  });
}

/** The cells of a window. A cell whose days differ in models, surfaces or searched brands has several rows. */
export async function listCellsOfWindow(
  db: Queryable,
  brandId: string,
  { from, to }: DateWindow,
): Promise<ComparedCell[]> {
  const rows = await many<CellSumRow & { surfaces: string[]; searched_brands: string[] }>(db, {
    name: 'results.list_cells_of_window',
    text: `select prompt_id, country, platform, model, surfaces, searched_brands, sum(units_total) as units_total,
             sum(units_answered) as units_answered, sum(units_mentioned) as units_mentioned,
             sum(units_cited) as units_cited, sum(units_citations_unknown) as units_citations_unknown,
             sum(units_mentioned_cited) as units_mentioned_cited, sum(units_read) as units_read,
             sum(units_informative) as units_informative,
             sum(unit_score_sum) as unit_score_sum,
             sum(position_sum) as position_sum, sum(sentiment_sum) as sentiment_sum,
             sum(sentiment_count) as sentiment_count,
             coalesce(sum(units_mentioned) filter (where mentions is not null), 0) as own_mentions,
             coalesce(sum(mentions), 0) as all_mentions
           from cell_days
           where brand_id = $1 and run_date between $2 and $3
           group by prompt_id, country, platform, model, surfaces, searched_brands`,
    values: [brandId, from, to],
  });
  return rows.map((row) => ({
    ...toWindowCell(row),
    models: row.model === '' ? [] : [row.model],
    surfaces: row.surfaces,
    searchedBrands: row.searched_brands,
  }));
}

/** Competitors by set. The lists of `cell_days` have the order of the set that they name. */
export function listCompetitorSets(
  db: Queryable,
  brandId: string,
): Promise<{ id: string; competitor_ids: string[] }[]> {
  return many(db, {
    name: 'results.list_competitor_sets',
    text: 'select id, competitor_ids from competitor_sets where own_brand_id = $1',
    values: [brandId],
  });
}
