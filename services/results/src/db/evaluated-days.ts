import type { Verdict } from '@bv/contract';
import { execute, type Queryable } from '@bv/postgres';

type EvaluatedDay = { brandId: string; runDate: string; verdict: Verdict };

/** Returns whether the day was not evaluated before. */
export async function insertEvaluatedDay(db: Queryable, day: EvaluatedDay): Promise<boolean> {
  const inserted = await execute(db, {
    name: 'results.insert_evaluated_day',
    text: `insert into evaluated_days (brand_id, run_date, change_verdict) values ($1, $2, $3)
           on conflict (brand_id, run_date) do nothing`,
    values: [day.brandId, day.runDate, day.verdict],
  });
  return inserted === 1;
}

export function updateEvaluatedDay(db: Queryable, day: EvaluatedDay): Promise<number> {
  return execute(db, {
    name: 'results.update_evaluated_day',
    text: 'update evaluated_days set change_verdict = $3 where brand_id = $1 and run_date = $2',
    values: [day.brandId, day.runDate, day.verdict],
  });
}
