import { execute, maybeOne, type Queryable } from '@bv/postgres';

/** Cost of the LLM judge in a month. `month` is its first day. */
type Spending = { month: string; usd: number };

/** Adds a cost to the month unless the sum would exceed the limit. Returns false in that case: nothing is added. */
export async function addSpending(
  db: Queryable,
  { month, usd }: Spending,
  limitUsd: number,
): Promise<boolean> {
  const added = await execute(db, {
    name: 'scans.add_judge_spending',
    text: `insert into judge_spending as s (month, spent_usd)
           select $1::date, $2::numeric where $2::numeric <= $3::numeric
           on conflict (month) do update set spent_usd = s.spent_usd + excluded.spent_usd
           where s.spent_usd + excluded.spent_usd <= $3::numeric`,
    values: [month, usd, limitUsd],
  });
  return added === 1;
}

/** Changes the cost of a month by the difference between an estimate and the cost. */
export function correctSpending(db: Queryable, { month, usd }: Spending): Promise<number> {
  return execute(db, {
    name: 'scans.correct_judge_spending',
    text: 'update judge_spending set spent_usd = greatest(0, spent_usd + $2) where month = $1',
    values: [month, usd],
  });
}

export async function findSpending(db: Queryable, month: string): Promise<number> {
  const row = await maybeOne<{ spent_usd: number }>(db, {
    name: 'scans.find_judge_spending',
    text: 'select spent_usd from judge_spending where month = $1',
    values: [month],
  });
  return row?.spent_usd ?? 0;
}
