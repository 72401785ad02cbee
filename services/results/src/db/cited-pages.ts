import { limitPageBytes, many, type Paged, type Queryable } from '@bv/postgres';
import type { UnitFilters } from './unit-lists.ts';

export type CitedPageRow = {
  url: string;
  title: string | null;
  domain: string;
  citations: number;
  units_mentioned: number;
  units_with_competitor: number;
  units_gap: number;
  prompts: number;
  prompt_ids: string[];
  platforms: string[];
  countries: string[];
  first_seen: string;
  last_seen: string;
};

type PageOfPages = UnitFilters & {
  /** Registrable domain; null for all. */
  domain: string | null;
  /** Only pages with a gap that are not those of the own brand, given by its domain. */
  gapOf: string | null;
  /** Count and hash of the URL of the last row of the previous page: a cursor has no room for a URL. */
  after: { count: number; hash: string } | null;
  limit: number;
};

/**
 * The domains of the window lead to the links, because the index of source_pages has the domain before the day. Titles,
 * prompts and markets are read of the page only.
 */
const citedPages = (count: 'citations' | 'units_gap'): string => `with domains as materialized (
    select domain from source_days
    where brand_id = $1 and run_date between $2 and $3 and ($9::text is null or domain = $9)
      and ($10::text is null or domain <> $10)
      and ($4::text is null or platform = $4) and ($5::text is null or country = $5)
    group by domain having $10::text is null or sum(units_gap) > 0
  ), pages as materialized (
    select p.domain, p.url, sum(p.citations) as citations, sum(p.units_mentioned) as units_mentioned,
      sum(p.units_with_competitor) as units_with_competitor, sum(p.units_gap) as units_gap
    from domains join source_pages p on p.brand_id = $1 and p.domain = domains.domain
    where p.run_date between $2 and $3
      and ($4::text is null or p.platform = $4) and ($5::text is null or p.country = $5)
    group by p.domain, p.url
  ), page as materialized (
    select * from pages
    where ($10::text is null or units_gap > 0) and ($6::bigint is null or ${count} < $6
      or (${count} = $6 and url > (select url from pages where md5(url) = $7)))
    order by ${count} desc, url limit $8
  ), links as materialized (
    select l.* from page join source_pages l on l.brand_id = $1 and l.domain = page.domain and l.url = page.url
    where l.run_date between $2 and $3
      and ($4::text is null or l.platform = $4) and ($5::text is null or l.country = $5)
  ), details as (
    select domain, url, max(title) as title, array_agg(distinct platform order by platform) as platforms,
      array_agg(distinct country order by country) as countries, min(run_date) as first_seen,
      max(run_date) as last_seen
    from links group by domain, url
  ), asked as (
    select domain, url, count(*) as prompts,
      (array_agg(prompt_id order by answers desc, prompt_id))[:5] as prompt_ids
    from (select domain, url, prompt_id, count(*) as answers
          from links cross join unnest(links.prompt_ids) as prompt_id group by 1, 2, 3) answers
    group by domain, url
  )
  select page.*, title, platforms, countries, first_seen, last_seen, coalesce(asked.prompts, 0) as prompts,
    coalesce(asked.prompt_ids, '{}') as prompt_ids
  from page join details using (domain, url) left join asked using (domain, url)`;

/** Cited pages over the window, most cited or largest gap first. Reads the daily sums that `addSourceSums` maintains. */
export function listCitedPageRows(
  db: Queryable,
  brandId: string,
  page: PageOfPages,
): Promise<Paged<CitedPageRow>[]> {
  const count = page.gapOf === null ? 'citations' : 'units_gap';
  return many(db, {
    name: 'results.list_cited_pages',
    prepare: false,
    text: limitPageBytes({
      columns: `url, title, domain, citations, units_mentioned, units_with_competitor, units_gap, prompts, prompt_ids,
        platforms, countries, first_seen, last_seen`,
      order: `${count} desc, url`,
      bytes: `octet_length(url) + octet_length(coalesce(title, '')) + octet_length(countries::text)`,
      rows: citedPages(count),
    }),
    values: [
      brandId,
      page.from,
      page.to,
      page.platform,
      page.country,
      page.after?.count ?? null,
      page.after?.hash ?? null,
      page.limit,
      page.domain,
      page.gapOf,
    ],
  });
}
