import { execute, type Queryable } from '@bv/postgres';

/** Reserves the brand's scan of the day. Returns whether this call was the first. */
export async function insertScheduleRun(db: Queryable, brandId: string, runDate: string): Promise<boolean> {
  const inserted = await execute(db, {
    name: 'scans.insert_schedule_run',
    text: 'insert into schedule_runs (brand_id, run_date) values ($1, $2) on conflict do nothing',
    values: [brandId, runDate],
  });
  return inserted === 1;
}

export function deleteScheduleRunsBefore(db: Queryable, runDate: string): Promise<number> {
  return execute(db, {
    name: 'scans.delete_schedule_runs',
    text: 'delete from schedule_runs where run_date < $1',
    values: [runDate],
  });
}
