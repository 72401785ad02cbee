import { execute, type Queryable } from '@bv/postgres';

const columns =
  'brand_id, run_date, platform, country, key, is_tracked, name, domain, rank_sum, prompt_ids, examples';

/** SQL for the names of each answer of a day. Of several spellings that the LLM judge joined, the first counts. */
const namesOfDay = `
  select distinct on (u.brand_id, u.id, coalesce(same_as, n ->> 1))
    u.brand_id, run_date, platform, country, prompt_id, u.id, finalized_at, coalesce(same_as, n ->> 1) as key, n
  from units u cross join jsonb_array_elements(others) as n
    left join name_judgements j on j.brand_id = u.brand_id and j.key = n ->> 1
  where u.brand_id = $1 and run_date = $2
  order by u.brand_id, u.id, coalesce(same_as, n ->> 1), (n ->> 5)::int`;

/**
 * Replaces the names in the answers of a brand's day, tracked brands included. Repeats of a cell count. The caller holds
 * the lock of the brand's token row.
 */
export async function replaceNameDays(db: Queryable, brandId: string, runDate: string): Promise<void> {
  await deleteNameDays(db, brandId, runDate);
  await execute(db, {
    name: 'results.insert_name_days',
    text: `insert into name_days (${columns})
           select brand_id, run_date, platform, country, key, false, n ->> 0, coalesce(n ->> 4, ''), sum((n ->> 5)::int),
             array_agg(prompt_id), to_jsonb((array_agg(jsonb_build_object('id', id, 'start', n -> 2, 'end', n -> 3,
               'at', extract(epoch from finalized_at))
               order by finalized_at desc, id desc))[:3])
           from (${namesOfDay}) names
           group by brand_id, run_date, platform, country, key, n ->> 0, n ->> 4`,
    values: [brandId, runDate],
  });
  await execute(db, {
    name: 'results.insert_tracked_name_days',
    text: `insert into name_days (${columns})
           select u.brand_id, run_date, platform, country, b.brand_id::text, true, '', '', 0, array_agg(prompt_id), '[]'
           from units u join unit_brands b on b.own_brand_id = u.brand_id and b.unit_id = u.id
           where u.brand_id = $1 and u.run_date = $2 and others is not null and b.mentioned
           group by u.brand_id, run_date, platform, country, b.brand_id`,
    values: [brandId, runDate],
  });
}

/** Removes the names of a day whose texts are cleared, because it is not known which of its answers had them. */
export async function forgetNames(db: Queryable, brandId: string, runDate: string): Promise<void> {
  await deleteNameDays(db, brandId, runDate);
  await execute(db, {
    name: 'results.clear_informative',
    text: `update units set informative = null
           where brand_id = $1 and run_date = $2 and others is null and informative is not null`,
    values: [brandId, runDate],
  });
}

function deleteNameDays(db: Queryable, brandId: string, runDate: string): Promise<number> {
  return execute(db, {
    name: 'results.delete_name_days',
    text: 'delete from name_days where brand_id = $1 and run_date = $2',
    values: [brandId, runDate],
  });
}
