import type { DateWindow } from '@bv/contract';
import { zeroUuid } from '@bv/pagination';
import { execute, many, maybeOne, one, type Queryable } from '@bv/postgres';

/** A brand's day whose scores were written after its sums by cell. */
export type UnwindowedDay = { brand_id: string; run_date: string };

/** The unwindowed days of a brand in a range of days. */
export async function listUnwindowedDays(
  db: Queryable,
  brandId: string,
  { from, to }: DateWindow,
): Promise<string[]> {
  const rows = await many<{ run_date: string }>(db, {
    name: 'results.list_unwindowed_days',
    text: 'select run_date from unwindowed_days where brand_id = $1 and run_date between $2 and $3',
    values: [brandId, from, to],
  });
  return rows.map((row) => row.run_date);
}

/**
 * Locks the token row of the brand with the first unwindowed day after a given one. Skips brands whose row another
 * transaction holds, such as another replica that does the same.
 */
export function lockUnwindowedDay(
  db: Queryable,
  after: UnwindowedDay = { brand_id: zeroUuid, run_date: '-infinity' },
): Promise<UnwindowedDay | undefined> {
  return maybeOne<UnwindowedDay>(db, {
    name: 'results.lock_unwindowed_day',
    text: `select d.brand_id, d.run_date from unwindowed_days d join brand_tokens t on t.brand_id = d.brand_id
           where (d.brand_id, d.run_date) > ($1::uuid, $2::date)
           order by d.brand_id, d.run_date limit 1 for update of t skip locked`,
    values: [after.brand_id, after.run_date],
  });
}

export function deleteUnwindowedDay(db: Queryable, brandId: string, runDate: string): Promise<number> {
  return execute(db, {
    name: 'results.delete_unwindowed_day',
    text: 'delete from unwindowed_days where brand_id = $1 and run_date = $2',
    values: [brandId, runDate],
  });
}

/** Number of unwindowed days, at most `max`. */
export async function countUnwindowedDays(db: Queryable, max: number): Promise<number> {
  const row = await one<{ count: number }>(db, {
    name: 'results.count_unwindowed_days',
    text: 'select count(*) as count from (select from unwindowed_days limit $1) days',
    values: [max],
  });
  return row.count;
}
