import { execute, many, maybeOne, type Queryable } from '@bv/postgres';

/** Only an import stores units without a scan job. */
const imported = 'job_id is null';

/** The first day of a window, after a given one, that has imported units. */
export async function findImportedDay(
  db: Queryable,
  brandId: string,
  window: { from: string; to: string; after: string | null },
): Promise<string | undefined> {
  const row = await maybeOne<{ run_date: string }>(db, {
    name: 'results.find_imported_day',
    text: `select run_date from units
           where brand_id = $1 and run_date between coalesce($4::date + 1, $2) and $3 and ${imported}
           order by run_date limit 1`,
    values: [brandId, window.from, window.to, window.after],
  });
  return row?.run_date;
}

export async function listImportedUnitIds(
  db: Queryable,
  brandId: string,
  runDate: string,
  limit: number,
): Promise<string[]> {
  const rows = await many<{ id: string }>(db, {
    name: 'results.list_imported_unit_ids',
    text: `select id from units where brand_id = $1 and run_date = $2 and ${imported} limit $3`,
    values: [brandId, runDate, limit],
  });
  return rows.map(({ id }) => id);
}

/** A page of all units of a day, by id. */
export async function listUnitIdsOfDay(
  db: Queryable,
  brandId: string,
  runDate: string,
  page: { after: string | null; limit: number },
): Promise<string[]> {
  const rows = await many<{ id: string }>(db, {
    name: 'results.list_unit_ids_of_day',
    text: `select id from units
           where brand_id = $1 and run_date = $2 and ($3::uuid is null or id > $3) order by id limit $4`,
    values: [brandId, runDate, page.after, page.limit],
  });
  return rows.map(({ id }) => id);
}

/** Deletes units with the brands and sources found in them; the caller holds the token row of their brand. */
export async function deleteUnits(db: Queryable, ids: string[]): Promise<void> {
  await execute(db, {
    name: 'results.delete_unit_sources',
    text: 'delete from unit_sources where unit_id = any($1::uuid[])',
    values: [ids],
  });
  await execute(db, {
    name: 'results.delete_unit_brands',
    text: 'delete from unit_brands where unit_id = any($1::uuid[])',
    values: [ids],
  });
  await execute(db, {
    name: 'results.delete_units',
    text: 'delete from units where id = any($1::uuid[])',
    values: [ids],
  });
}
