import { many, maybeOne, one, type Queryable } from '@bv/postgres';

export type BrandDay = { brandId: string; runDate: string };

/** The newest day of a window with answers. */
export async function findAnsweredDay(
  db: Queryable,
  brandId: string,
  { from, to }: { from: string; to: string },
): Promise<string | undefined> {
  const row = await maybeOne<{ run_date: string }>(db, {
    name: 'results.find_answered_day',
    text: `select run_date from answered_days where brand_id = $1 and run_date between $2 and $3
           order by run_date desc limit 1`,
    values: [brandId, from, to],
  });
  return row?.run_date;
}

/** The days of a window with answers. */
export async function listAnsweredDays(
  db: Queryable,
  brandId: string,
  { from, to }: { from: string; to: string },
): Promise<string[]> {
  const rows = await many<{ run_date: string }>(db, {
    name: 'results.list_answered_days',
    text: 'select distinct run_date from answered_days where brand_id = $1 and run_date between $2 and $3',
    values: [brandId, from, to],
  });
  return rows.map((row) => row.run_date);
}

/**
 * The newest day of a window with a unit that was finalised since then. Five minutes cover the time from reading the
 * brand in scans to storing the unit here.
 */
export async function findDayFinalisedSince(
  db: Queryable,
  brandId: string,
  { from, to, since }: { from: string; to: string; since: string },
): Promise<string | undefined> {
  const row = await maybeOne<{ run_date: string }>(db, {
    name: 'results.find_day_finalised_since',
    text: `select d.run_date
           from (select distinct run_date from answered_days
                 where brand_id = $1 and run_date between $2 and $3) d
           where exists (
             select from units u where u.brand_id = $1 and u.run_date = d.run_date and u.finalized_at >= $4::timestamptz - interval '5 minutes' offset 0)
           order by d.run_date desc limit 1`,
    values: [brandId, from, to, since],
  });
  return row?.run_date;
}

/** The answers of a day with a stored text. */
export async function countAnswers(db: Queryable, { brandId, runDate }: BrandDay): Promise<number> {
  const row = await one<{ count: number }>(db, {
    name: 'results.count_answers',
    text: `select count(*) as count from units
           where brand_id = $1 and run_date = $2 and outcome = 'answered' and answer_text is not null`,
    values: [brandId, runDate],
  });
  return row.count;
}
