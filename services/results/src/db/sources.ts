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

/**
 * Cited domains over the window, most cited first. Only cited links of answered units count. Links are summed by
 * answer first, then by domain; what a page shows besides is read for its own domains alone.
 */
export function listSources(db: Queryable, page: SourcePage): Promise<SourceRow[]> {
  return many<SourceRow>(db, {
    name: 'results.list_sources',
    text: `with answered as materialized (
             select id, platform, country, run_date, mentioned from units
             where brand_id = $1 and run_date between $2 and $3 and outcome = 'answered'
               and ($4::text is null or platform = $4) and ($5::text is null or country = $5)
           ), by_unit as (
             select s.domain, s.unit_id, count(*) as citations
             from answered u join unit_sources s on s.unit_id = u.id where s.cited group by s.domain, s.unit_id
           ), domains as materialized (
             select b.domain, sum(b.citations)::bigint as citations, count(*) as units_cited,
               count(*) filter (where u.mentioned) as units_mentioned,
               min(u.run_date) as first_seen, max(u.run_date) as last_seen
             from by_unit b join answered u on u.id = b.unit_id group by b.domain
           ), page as materialized (
             select * from domains
             where $6::bigint is null or citations < $6 or (citations = $6 and domain > $7)
             order by citations desc, domain limit $8
           ), links as materialized (
             select s.domain, s.url, u.platform, u.country, max(s.title) as title, count(*) as citations
             from answered u join unit_sources s on s.unit_id = u.id
             where s.cited and s.domain in (select domain from page)
             group by s.domain, s.url, u.platform, u.country
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
             (select count(*) from answered) as units_answered
           from page join pages using (domain) join platforms using (domain) join countries using (domain)
           order by page.citations desc, page.domain`,
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
