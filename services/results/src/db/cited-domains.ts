import { limitPageBytes, many, type Paged, type Queryable } from '@bv/postgres';
import type { UnitFilters } from './unit-lists.ts';

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
  /** Answers with unresolved links that do not cite the domain. */
  units_citations_unknown: number;
  units_with_competitor: number;
  units_gap: number;
  platforms: { platform: string; citations: number }[];
  top_pages: { url: string; title: string | null; citations: number }[];
};

type SourcePage = UnitFilters & {
  /** Only domains with a gap that are not those of the own brand, given by its domain. */
  gapOf: string | null;
  /** Sort tuple of the last row of the previous page. */
  after: { count: number; domain: string } | null;
  limit: number;
};

/** SQL for a page of cited domains. */
const citedDomains = (count: 'citations' | 'units_gap'): string => `with domains as materialized (
    select domain, sum(citations) as citations, sum(units_cited) as units_cited,
      sum(units_mentioned) as units_mentioned, sum(units_unresolved) as units_unresolved,
      sum(units_with_competitor) as units_with_competitor, sum(units_gap) as units_gap,
      min(run_date) as first_seen, max(run_date) as last_seen
    from source_days
    where brand_id = $1 and run_date between $2 and $3
      and ($4::text is null or platform = $4) and ($5::text is null or country = $5)
    group by domain
  ), page as materialized (
    select * from domains
    where ($9::text is null or (units_gap > 0 and domain <> $9))
      and ($6::bigint is null or ${count} < $6 or (${count} = $6 and domain > $7))
    order by ${count} desc, domain limit $8
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
  ), answered as (
    select sum(units_answered) as units_answered, sum(units_unresolved) as units_unresolved from answered_days
    where brand_id = $1 and run_date between $2 and $3
      and ($4::text is null or platform = $4) and ($5::text is null or country = $5)
  ), platforms as (
    select domain, jsonb_agg(jsonb_build_object('platform', platform, 'citations', citations)
      order by citations desc, platform) as platforms
    from (select domain, platform, sum(citations)::bigint as citations from links
          group by domain, platform) p
    group by domain
  ), countries as (
    select domain, array_agg(distinct country order by country) as countries from links group by domain
  )
  select page.*, answered.units_answered,
    answered.units_unresolved - page.units_unresolved as units_citations_unknown, pages.pages, pages.top_pages,
    platforms.platforms, countries.countries,
    (select sum(citations)::bigint from domains) as total_citations
  from page cross join answered join pages using (domain) join platforms using (domain) join countries using (domain)
  order by page.${count} desc, page.domain`;

/** Cited domains over the window, most cited or largest gap first. Reads the daily sums that `addSourceSums` maintains. */
export function listSourceRows(
  db: Queryable,
  brandId: string,
  page: SourcePage,
): Promise<Paged<SourceRow>[]> {
  const count = page.gapOf === null ? 'citations' : 'units_gap';
  return many(db, {
    name: 'results.list_sources',
    prepare: false,
    text: limitPageBytes({
      columns: `domain, citations, units_cited, units_mentioned, pages, countries, first_seen, last_seen,
        total_citations, units_answered, units_citations_unknown, units_with_competitor, units_gap, platforms,
        top_pages`,
      order: `${count} desc, domain`,
      bytes: 'octet_length(top_pages::text) + octet_length(countries::text)',
      rows: citedDomains(count),
    }),
    values: [
      brandId,
      page.from,
      page.to,
      page.platform,
      page.country,
      page.after?.count ?? null,
      page.after?.domain ?? null,
      page.limit,
      page.gapOf,
    ],
  });
}
