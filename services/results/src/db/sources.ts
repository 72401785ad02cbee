import { execute, many, type Queryable } from '@bv/postgres';

export type SourceRow = {
  domain: string;
  citations: number;
  units_cited: number;
  units_mentioned: number;
  pages: number;
  countries: string[];
  first_seen: string;
  last_seen: string;
  total_citations: number;
  units_answered: number;
  platforms: { platform: string; citations: number }[];
  top_pages: { url: string; title: string | null; citations: number }[];
};

type SourcePage = {
  from: string;
  to: string;
  platform: string | null;
  country: string | null;
  after: { citations: number; domain: string } | null;
  limit: number;
};

/** Cited domains over the window, most cited first. Reads the daily sums that `addSourceSums` maintains. */
export function listSourceRows(db: Queryable, brandId: string, page: SourcePage): Promise<SourceRow[]> {
  return many<SourceRow>(db, {
    name: 'results.list_sources',
    prepare: false,
    text: `with domains as materialized (
             select domain, sum(citations) as citations, sum(units_cited) as units_cited,
               sum(units_mentioned) as units_mentioned, min(run_date) as first_seen, max(run_date) as last_seen
             from source_days
             where brand_id = $1 and run_date between $2 and $3
               and ($4::text is null or platform = $4) and ($5::text is null or country = $5)
             group by domain
           ), page as materialized (
             select * from domains
             where $6::bigint is null or citations < $6 or (citations = $6 and domain > $7)
             order by citations desc, domain limit $8
           ), links as materialized (
             select p.domain, p.url, p.platform, p.country, max(p.title) as title, sum(p.citations) as citations
             from page join source_pages p on p.brand_id = $1 and p.domain = page.domain
             where p.run_date between $2 and $3
               and ($4::text is null or p.platform = $4) and ($5::text is null or p.country = $5)
             group by p.domain, p.url, p.platform, p.country
           ), urls as (
             select domain, url, max(title) as title, sum(citations)::bigint as citations,
               row_number() over (partition by domain order by sum(citations) desc, url) as place
             from links group by domain, url
           ), pages as (
             select domain, count(*) as pages,
               jsonb_agg(jsonb_build_object('url', url, 'title', title, 'citations', citations) order by place)
                 filter (where place <= 5) as top_pages
             from urls group by domain
           ), platforms as (
             select domain, jsonb_agg(jsonb_build_object('platform', platform, 'citations', citations)
               order by citations desc, platform) as platforms
             from (select domain, platform, sum(citations)::bigint as citations from links
                   group by domain, platform) p
             group by domain
           ), countries as (
             select domain, array_agg(distinct country order by country) as countries from links group by domain
           )
           select page.*, pages.pages, pages.top_pages, platforms.platforms, countries.countries,
             (select sum(citations)::bigint from domains) as total_citations,
             (select sum(units_answered) from answered_days
               where brand_id = $1 and run_date between $2 and $3
                 and ($4::text is null or platform = $4) and ($5::text is null or country = $5)) as units_answered
           from page join pages using (domain) join platforms using (domain) join countries using (domain)
           order by page.citations desc, page.domain`,
    values: [
      brandId,
      page.from,
      page.to,
      page.platform,
      page.country,
      page.after?.citations ?? null,
      page.after?.domain ?? null,
      page.limit,
    ],
  });
}

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
 * Reads answer by answer. Planned while the tables are almost empty, a join with `= any` compares every unit with every
 * source and every id: with 1,000 units stored, a batch of 500 takes 5 s.
 */
const newAnswers = `unnest($1::uuid[]) as added (unit_id)
             cross join lateral (
               select brand_id, run_date, platform, country, mentioned from units
               where id = added.unit_id and outcome = 'answered' offset 0
             ) u`;

/**
 * Adds the citations of new units to the sums that `list_sources` reads. The caller has stored the units in the same
 * transaction and holds the locks of the token rows of their brands, whose tokens say when the answers were stored.
 */
export async function addSourceSums(db: Queryable, unitIds: string[]): Promise<void> {
  await execute(db, {
    name: 'results.add_source_days',
    text: `insert into source_days as d (brand_id, run_date, domain, platform, country, citations, units_cited,
             units_mentioned)
           select u.brand_id, u.run_date, s.domain, u.platform, u.country, sum(s.citations), count(*),
             count(*) filter (where u.mentioned)
           from ${newAnswers}
             cross join lateral (
               select domain, count(*) as citations from unit_sources
               where unit_id = added.unit_id and cited group by domain
             ) s
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
           from ${newAnswers}
             cross join lateral (
               select domain, url, title from unit_sources where unit_id = added.unit_id and cited offset 0
             ) s
           group by u.brand_id, s.domain, u.run_date, u.platform, u.country, s.url
           on conflict (brand_id, domain, run_date, platform, country, md5(url)) do update set
             title = greatest(p.title, excluded.title), citations = p.citations + excluded.citations`,
    values: [unitIds],
  });
  await execute(db, {
    name: 'results.add_answered_days',
    text: `insert into answered_days as d (brand_id, run_date, platform, country, units_answered, stored_at)
           select brand_id, run_date, platform, country, count(*),
             (select changed_at from brand_tokens t where t.brand_id = units.brand_id)
           from units
           where id = any($1::uuid[]) and outcome = 'answered'
           group by brand_id, run_date, platform, country
           on conflict (brand_id, run_date, platform, country) do update set
             units_answered = d.units_answered + excluded.units_answered, stored_at = excluded.stored_at`,
    values: [unitIds],
  });
}
