import type { DateWindow } from '@bv/contract';
import { execute, many, type Queryable } from '@bv/postgres';
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
  unit_score_sum: number;
  position_sum: number;
  sentiment_sum: number;
  sentiment_count: number;
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
  unitScoreSum: row.unit_score_sum,
  positionSum: row.position_sum,
  sentimentSum: row.sentiment_sum,
  sentimentCount: row.sentiment_count,
});

const columns = `prompt_id, country, platform, model, units_total, units_answered, units_mentioned, units_cited,
  units_citations_unknown, unit_score_sum, position_sum, sentiment_sum, sentiment_count`;

/** A longer name of a model would not fit into the primary key. */
const model = `left(coalesce(model, ''), 200)`;

const mentioned = `filter (where outcome = 'answered' and mentioned)`;

const sumsOfUnits = `prompt_id, country, platform, ${model} as model, count(*) as units_total,
  count(*) filter (where outcome = 'answered') as units_answered,
  count(*) ${mentioned} as units_mentioned,
  count(*) filter (where outcome = 'answered' and cited) as units_cited,
  count(*) filter (where outcome = 'answered' and ${isCitationUnknown}) as units_citations_unknown,
  coalesce(sum(100 / (1 + 0.1::float8 * (position - 1))) ${mentioned}, 0) as unit_score_sum,
  coalesce(sum(position) ${mentioned}, 0) as position_sum,
  coalesce(sum(sentiment) ${mentioned}, 0) as sentiment_sum,
  count(sentiment) ${mentioned} as sentiment_count`;

/** Replaces the sums of a brand's day by those of its units. The caller holds the lock of the brand's token row. */
export async function replaceCellDays(db: Queryable, brandId: string, runDate: string): Promise<void> {
  await execute(db, {
    name: 'results.delete_cell_days',
    text: 'delete from cell_days where brand_id = $1 and run_date = $2',
    values: [brandId, runDate],
  });
  await execute(db, {
    name: 'results.insert_cell_days',
    text: `insert into cell_days (brand_id, run_date, ${columns})
           select $1, $2, ${sumsOfUnits}
           from units where brand_id = $1 and run_date = $2
           group by prompt_id, country, platform, ${model}`,
    values: [brandId, runDate],
  });
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
             sum(sign * unit_score_sum) as unit_score_sum, sum(sign * position_sum) as position_sum,
             sum(sign * sentiment_sum) as sentiment_sum, sum(sign * sentiment_count) as sentiment_count
           from (
             select 1 as sign, ${columns} from cell_days where brand_id = $1 and run_date between $2 and $3
             union all
             select -1, ${columns} from cell_days where brand_id = $1 and run_date between $4 and $5) days
           group by prompt_id, country, platform, model`,
    values: [brandId, added.from, added.to, removed?.from ?? null, removed?.to ?? null],
  });
}

type ComparedCells = { brandId: string; country: string | null; platform: string | null };

/** Sums over a window. */
export function listCellsOfWindow(
  db: Queryable,
  { brandId, country, platform }: ComparedCells,
  { from, to }: DateWindow,
): Promise<CellSumRow[]> {
  return many<CellSumRow>(db, {
    name: 'results.list_cells_of_window',
    text: `select prompt_id, country, platform, model, sum(units_total) as units_total,
             sum(units_answered) as units_answered, sum(units_mentioned) as units_mentioned,
             sum(units_cited) as units_cited, sum(units_citations_unknown) as units_citations_unknown,
             sum(unit_score_sum) as unit_score_sum,
             sum(position_sum) as position_sum, sum(sentiment_sum) as sentiment_sum,
             sum(sentiment_count) as sentiment_count
           from cell_days
           where brand_id = $1 and run_date between $2 and $3 and ($4::text is null or country = $4)
             and ($5::text is null or platform = $5)
           group by prompt_id, country, platform, model`,
    values: [brandId, from, to, country, platform],
  });
}
