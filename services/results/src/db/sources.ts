import { many, type Queryable } from '@bv/postgres';

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
  brandId: string;
  from: string;
  to: string;
  platform: string | null;
  country: string | null;
  after: { citations: number; domain: string } | null;
  limit: number;
};

/** Cited domains over the window, most cited first. Only cited links of answered units count. */
export function listSources(db: Queryable, page: SourcePage): Promise<SourceRow[]> {
  return many<SourceRow>(db, {
    name: 'results.list_sources',
    text: `with answered as (
             select id, platform, country, run_date, mentioned from units
             where brand_id = $1 and run_date between $2 and $3 and outcome = 'answered'
               and ($4::text is null or platform = $4) and ($5::text is null or country = $5)
           ), cited as materialized (
             select s.domain, s.url, s.title, u.id, u.platform, u.country, u.run_date, u.mentioned
             from answered u join unit_sources s on s.unit_id = u.id where s.cited
           ), domains as (
             select domain, count(*) as citations, count(distinct id) as units_cited,
               count(distinct id) filter (where mentioned) as units_mentioned, count(distinct url) as pages,
               array_agg(distinct country order by country) as countries,
               min(run_date) as first_seen, max(run_date) as last_seen
             from cited group by domain
           ), page as (
             select * from domains
             where $6::bigint is null or citations < $6 or (citations = $6 and domain > $7)
             order by citations desc, domain limit $8
           )
           select page.*, (select count(*) from cited) as total_citations,
             (select count(*) from answered) as units_answered,
             (select jsonb_agg(p order by p.citations desc, p.platform) from (
                select platform, count(*) as citations from cited where domain = page.domain group by platform
              ) p) as platforms,
             (select jsonb_agg(t order by t.citations desc, t.url) from (
                select url, max(title) as title, count(*) as citations from cited where domain = page.domain
                group by url order by count(*) desc, url limit 5
              ) t) as top_pages
           from page order by page.citations desc, page.domain`,
    values: [
      page.brandId,
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
