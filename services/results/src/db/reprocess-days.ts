import { execute, many, maybeOne, one, type Queryable } from '@bv/postgres';
import { firstTextDay } from './retention.ts';

export type BrandDay = { brandId: string; runDate: string };

/** The newest day of a window with answers. Days without texts are not read again. */
export async function findAnsweredDay(
  db: Queryable,
  brandId: string,
  { from, to }: { from: string; to: string },
): Promise<string | undefined> {
  const row = await maybeOne<{ run_date: string }>(db, {
    name: 'results.find_answered_day',
    text: `select run_date from answered_days where brand_id = $1 and run_date between greatest($2::date, ${firstTextDay}) and $3
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
    text: `select distinct run_date from answered_days
           where brand_id = $1 and run_date between greatest($2::date, ${firstTextDay}) and $3`,
    values: [brandId, from, to],
  });
  return rows.map((row) => row.run_date);
}

/**
 * The newest day of a window that got answers after a change token, however old they are. Their writer moves the token
 * and holds its lock, as who replaces a day does, so none is missed.
 */
export async function findDayStoredSince(
  db: Queryable,
  brandId: string,
  { from, to, since }: { from: string; to: string; since: string },
): Promise<string | undefined> {
  const row = await maybeOne<{ run_date: string }>(db, {
    name: 'results.find_day_stored_since',
    text: `select run_date from answered_days
           where brand_id = $1 and run_date between greatest($2::date, ${firstTextDay}) and $3 and stored_at > $4
           order by run_date desc limit 1`,
    values: [brandId, from, to, since],
  });
  return row?.run_date;
}

/** Marks that every answer of a day has been read. The caller holds the lock of the token row. */
export async function updateDayRead(db: Queryable, { brandId, runDate }: BrandDay): Promise<void> {
  await execute(db, {
    name: 'results.update_day_read',
    text: 'update answered_days set stored_at = null where brand_id = $1 and run_date = $2',
    values: [brandId, runDate],
  });
}

/**
 * Records that every answer of a day with a stored text was read by this version. Writes no answer that has it, as do
 * those without a number if it is `unrecorded`. The caller has replaced what differed, and holds the lock of the token
 * row.
 */
export async function updateDayMethod(
  db: Queryable,
  { brandId, runDate }: BrandDay,
  { version, unrecorded }: { version: string; unrecorded: string },
): Promise<void> {
  await execute(db, {
    name: 'results.update_day_method',
    text: `update units set method_version = $3
           where brand_id = $1 and run_date = $2 and outcome = 'answered' and answer_text is not null
             and coalesce(method_version, $4) <> $3`,
    values: [brandId, runDate, version, unrecorded],
  });
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
