import type { PlatformId, PrecisionMetric } from '@bv/contract';
import { many, type Queryable } from '@bv/postgres';
import type { CellPeriod } from '@bv/statistics';
import { addDays } from '../domain/calendar.ts';

/** The answers of an experiment. `platforms` and `countries` are null for all. */
export type ArmAnswers = {
  brandId: string;
  promptIds: readonly string[];
  metric: PrecisionMetric;
  platforms: readonly PlatformId[] | null;
  countries: readonly string[] | null;
};

/** Bounds the rows of a statement: a prompt has one for each of its platforms and markets. */
const promptPeriodsPerStatement = 4_000;

/** The cells of some periods. Each begins on one of `starts` and lasts to the next one, the last one to `to`. */
export async function* readArmPeriods(
  db: Queryable,
  answers: ArmAnswers,
  { starts, to }: { starts: readonly string[]; to: string },
): AsyncGenerator<CellPeriod[]> {
  const step = Math.max(1, Math.floor(promptPeriodsPerStatement / answers.promptIds.length));
  for (let first = 0; first < starts.length; first += step) {
    const next = starts[first + step];
    // `is true` keeps the prompts a hashed filter. As an index condition they would read all days once for each prompt.
    yield await many<CellPeriod>(db, {
      name: 'results.list_arm_periods',
      text: `select prompt_id as "promptId", country, platform, width_bucket(run_date, $4::date[]) - 1 as period,
               sum(units_answered)::int as units,
               sum(case $8 when 'score' then unit_score_sum
                 when 'citation_rate' then 100::float8 * units_cited else 100::float8 * units_mentioned end) as part,
               sum(units_answered - case $8 when 'citation_rate' then units_citations_unknown else 0 end)::int as whole
             from cell_days
             where brand_id = $1 and run_date between $2 and $3 and (prompt_id in (select unnest($5::uuid[]))) is true
               and ($6::text[] is null or platform = any ($6)) and ($7::text[] is null or country = any ($7))
             group by prompt_id, country, platform, period`,
      values: [
        answers.brandId,
        starts[first],
        next === undefined ? to : addDays(next, -1),
        starts,
        answers.promptIds,
        answers.platforms,
        answers.countries,
        answers.metric,
      ],
    });
  }
}
