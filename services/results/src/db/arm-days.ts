import type { DateWindow, PlatformId, PrecisionMetric } from '@bv/contract';
import { many, type Queryable } from '@bv/postgres';
import type { CellDay } from '@bv/statistics';
import { addDays } from '../domain/calendar.ts';

/** The answers of an experiment. `platforms` and `countries` are null for all. */
export type ArmAnswers = {
  brandId: string;
  promptIds: readonly string[];
  metric: PrecisionMetric;
  platforms: readonly PlatformId[] | null;
  countries: readonly string[] | null;
};

/** Keeps a statement of many prompts far below the statement timeout. */
const daysPerStatement = 31;

/** The cells of a window by day; its first day is day 0. */
export async function listArmDays(
  db: Queryable,
  answers: ArmAnswers,
  { from, to }: DateWindow,
): Promise<CellDay[]> {
  const parts: CellDay[][] = [];
  for (let start = from; start <= to; start = addDays(start, daysPerStatement)) {
    const end = addDays(start, daysPerStatement - 1);
    parts.push(
      await many<CellDay>(db, {
        name: 'results.list_arm_days',
        text: `select prompt_id as "promptId", country, platform, run_date - $4::date as day,
                 sum(units_answered)::int as units,
                 sum(case $8 when 'score' then unit_score_sum
                   when 'citation_rate' then 100::float8 * units_cited else 100::float8 * units_mentioned end) as part,
                 sum(units_answered - case $8 when 'citation_rate' then units_citations_unknown else 0 end)::int as whole
               from cell_days
               where brand_id = $1 and run_date between $2 and $3 and prompt_id = any ($5)
                 and ($6::text[] is null or platform = any ($6)) and ($7::text[] is null or country = any ($7))
               group by prompt_id, country, platform, run_date`,
        values: [
          answers.brandId,
          start,
          end < to ? end : to,
          from,
          answers.promptIds,
          answers.platforms,
          answers.countries,
          answers.metric,
        ],
      }),
    );
  }
  return parts.flat();
}
