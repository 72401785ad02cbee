import { execute, type Queryable } from '@bv/postgres';

/** Deletes a day's sums. The caller adds the sums of the remaining units. */
export async function deleteSourceSumsOfDay(db: Queryable, brandId: string, runDate: string): Promise<void> {
  await execute(db, {
    // Joins the domains of the day, because the index of source_pages has the domain before the day.
    name: 'results.delete_source_pages_of_day',
    text: `delete from source_pages p
           using (select distinct domain from source_days where brand_id = $1 and run_date = $2) d
           where p.brand_id = $1 and p.domain = d.domain and p.run_date = $2`,
    values: [brandId, runDate],
  });
  await execute(db, {
    name: 'results.delete_source_days_of_day',
    text: 'delete from source_days where brand_id = $1 and run_date = $2',
    values: [brandId, runDate],
  });
  await execute(db, {
    name: 'results.delete_answered_days_of_day',
    text: 'delete from answered_days where brand_id = $1 and run_date = $2',
    values: [brandId, runDate],
  });
}

/**
 * Adds the citations of new units to the sums that `list_sources` reads. The caller has stored the units in the same
 * transaction and holds the locks of the token rows of their brands.
 */
export async function addSourceSums(db: Queryable, unitIds: string[]): Promise<void> {
  await execute(db, {
    name: 'results.add_source_days',
    text: `insert into source_days as d (brand_id, run_date, domain, platform, country, citations, units_cited,
             units_mentioned)
           select u.brand_id, u.run_date, s.domain, u.platform, u.country, sum(s.citations), count(*),
             count(*) filter (where u.mentioned)
           from (select unit_id, domain, count(*) as citations from unit_sources
                 where unit_id = any($1::uuid[]) and cited group by unit_id, domain) s
           join units u on u.id = s.unit_id
           where u.outcome = 'answered'
           group by u.brand_id, u.run_date, s.domain, u.platform, u.country
           on conflict (brand_id, run_date, domain, platform, country) do update set
             citations = d.citations + excluded.citations, units_cited = d.units_cited + excluded.units_cited,
             units_mentioned = d.units_mentioned + excluded.units_mentioned`,
    values: [unitIds],
  });
  await execute(db, {
    name: 'results.add_source_pages',
    text: `insert into source_pages as p (brand_id, domain, run_date, platform, country, url, title, citations)
           select u.brand_id, s.domain, u.run_date, u.platform, u.country, s.url, max(s.title), count(*)
           from unit_sources s join units u on u.id = s.unit_id
           where s.unit_id = any($1::uuid[]) and s.cited and u.outcome = 'answered'
           group by u.brand_id, s.domain, u.run_date, u.platform, u.country, s.url
           on conflict (brand_id, domain, run_date, platform, country, md5(url)) do update set
             title = greatest(p.title, excluded.title), citations = p.citations + excluded.citations`,
    values: [unitIds],
  });
  await execute(db, {
    name: 'results.add_answered_days',
    text: `insert into answered_days as d (brand_id, run_date, platform, country, units_answered)
           select brand_id, run_date, platform, country, count(*) from units
           where id = any($1::uuid[]) and outcome = 'answered'
           group by brand_id, run_date, platform, country
           on conflict (brand_id, run_date, platform, country) do update set
             units_answered = d.units_answered + excluded.units_answered`,
    values: [unitIds],
  });
}
