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

/** Cited domains over the window, most cited first. Reads the daily sums that `source-sums.ts` maintains. */
export function listSourceRows(db: Queryable, page: SourcePage): Promise<SourceRow[]> {
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
