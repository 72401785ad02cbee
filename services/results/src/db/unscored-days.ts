import { execute, many, type Queryable } from '@bv/postgres';

/** A brand's day with units that its scores do not include yet. */
export type UnscoredDay = { brand_id: string; run_date: string };

/** Marks days as unscored. The caller holds the locks of their brands' token rows, so no marked day is being scored. */
export function insertUnscoredDays(db: Queryable, days: UnscoredDay[]): Promise<number> {
  return execute(db, {
    name: 'results.insert_unscored_days',
    text: `insert into unscored_days (brand_id, run_date)
           select distinct brand_id, run_date from unnest($1::uuid[], $2::date[]) as d (brand_id, run_date)
           on conflict do nothing`,
    values: [days.map((day) => day.brand_id), days.map((day) => day.run_date)],
  });
}

/** `brandIds` is null for all brands. */
export function listUnscoredDays(
  db: Queryable,
  page: { brandIds: readonly string[] | null; after: UnscoredDay | null; limit: number },
): Promise<UnscoredDay[]> {
  return many<UnscoredDay>(db, {
    name: 'results.list_unscored_days',
    text: `select brand_id, run_date from unscored_days
           where ($1::uuid is null or (brand_id, run_date) > ($1, $2::date))
             and ($3::uuid[] is null or brand_id = any ($3))
           order by brand_id, run_date limit $4`,
    values: [page.after?.brand_id ?? null, page.after?.run_date ?? null, page.brandIds, page.limit],
  });
}

export function deleteUnscoredDay(db: Queryable, day: UnscoredDay): Promise<number> {
  return execute(db, {
    name: 'results.delete_unscored_day',
    text: 'delete from unscored_days where brand_id = $1 and run_date = $2',
    values: [day.brand_id, day.run_date],
  });
}
