import {
  copyRows,
  execute,
  limitPageBytes,
  many,
  type Paged,
  type Queryable,
  type Transaction,
} from '@bv/postgres';

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

/** SQL for a page of cited domains. */
const citedDomains = `with domains as materialized (
    select domain, sum(citations) as citations, sum(units_cited) as units_cited,
      sum(units_mentioned) as units_mentioned, sum(units_unresolved) as units_unresolved, min(run_date) as first_seen,
      max(run_date) as last_seen
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
  order by page.citations desc, page.domain`;

/** Cited domains over the window, most cited first. Reads the daily sums that `addSourceSums` maintains. */
export function listSourceRows(
  db: Queryable,
  brandId: string,
  page: SourcePage,
): Promise<Paged<SourceRow>[]> {
  return many(db, {
    name: 'results.list_sources',
    prepare: false,
    text: limitPageBytes({
      columns: `domain, citations, units_cited, units_mentioned, pages, countries, first_seen, last_seen,
        total_citations, units_answered, units_citations_unknown, platforms, top_pages`,
      order: 'citations desc, domain',
      bytes: 'octet_length(top_pages::text) + octet_length(countries::text)',
      rows: citedDomains,
    }),
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

const sumsOfDays = `insert into source_days as d (brand_id, run_date, domain, platform, country, citations, units_cited,
    units_mentioned, units_unresolved)
  select brand_id, run_date, domain, platform, country, count(*), count(distinct unit_id),
    count(distinct unit_id) filter (where mentioned), count(distinct unit_id) filter (where sources_unresolved > 0)
  from cited group by brand_id, run_date, domain, platform, country
  on conflict (brand_id, run_date, domain, platform, country) do update set
    citations = d.citations + excluded.citations, units_cited = d.units_cited + excluded.units_cited,
    units_mentioned = d.units_mentioned + excluded.units_mentioned,
    units_unresolved = d.units_unresolved + excluded.units_unresolved`;

const sumsOfPages = `insert into source_pages as p (brand_id, domain, run_date, platform, country, url,
    title, citations)
  select brand_id, domain, run_date, platform, country, url, max(title), count(*)
  from cited group by brand_id, domain, run_date, platform, country, url
  on conflict (brand_id, domain, run_date, platform, country, md5(url)) do update set
    title = greatest(p.title, excluded.title), citations = p.citations + excluded.citations`;

/** `answers` has a row `u` for each answer. */
const sumsOfAnswers = (
  answers: string,
): string => `insert into answered_days as d (brand_id, run_date, platform, country,
    units_answered, units_unresolved)
  select brand_id, run_date, platform, country, count(*), count(*) filter (where sources_unresolved > 0)
  from ${answers}
  group by brand_id, run_date, platform, country
  on conflict (brand_id, run_date, platform, country) do update set
    units_answered = d.units_answered + excluded.units_answered,
    units_unresolved = d.units_unresolved + excluded.units_unresolved`;

/** A new unit with the sources to store. Each position of a unit occurs once. */
export type SourcedUnit = {
  id: string;
  brand_id: string;
  run_date: string;
  platform: string;
  country: string;
  outcome: 'answered' | 'no_answer';
  mentioned: boolean;
  sources_unresolved: number;
  sources: readonly { position: number; url: string; domain: string; title: string | null; cited: boolean }[];
};

/**
 * Stores the sources of new units and adds their citations to the sums that `list_sources` reads. The caller holds the
 * locks of the token rows of their brands.
 */
export async function insertSources(tx: Transaction, units: readonly SourcedUnit[]): Promise<void> {
  await copySources(tx, units);
  const answers = units.filter(({ outcome }) => outcome === 'answered');
  const cited = answers.flatMap(
    ({ sources, id: unit_id, brand_id, run_date, platform, country, mentioned, sources_unresolved }) =>
      sources
        .filter((source) => source.cited)
        .map(({ url, domain, title }) => ({
          unit_id,
          brand_id,
          run_date,
          platform,
          country,
          mentioned,
          sources_unresolved,
          url,
          domain,
          title,
        })),
  );
  await execute(tx, {
    name: 'results.add_cited_sources',
    text: `with cited as materialized (
             select * from jsonb_to_recordset($1::jsonb) as s (unit_id uuid, url text, domain text, title text,
               brand_id uuid, run_date date, platform text, country text, mentioned boolean,
               sources_unresolved int)
           ), days as (${sumsOfDays})
           ${sumsOfPages}`,
    values: [JSON.stringify(cited)],
  });
  await execute(tx, {
    name: 'results.add_answered_days',
    text: sumsOfAnswers(
      `unnest($1::uuid[], $2::date[], $3::text[], $4::text[], $5::int[])
         as u (brand_id, run_date, platform, country, sources_unresolved)`,
    ),
    values: [
      answers.map((unit) => unit.brand_id),
      answers.map((unit) => unit.run_date),
      answers.map((unit) => unit.platform),
      answers.map((unit) => unit.country),
      answers.map((unit) => unit.sources_unresolved),
    ],
  });
}

function copySources(tx: Transaction, units: readonly SourcedUnit[]): Promise<number> {
  const columns = ['own_brand_id', 'unit_id', 'position', 'url', 'domain', 'title', 'cited'];
  const rows = units.flatMap(({ sources, brand_id, id }) =>
    sources.map(({ position, url, domain, title, cited }) => [
      brand_id,
      id,
      position,
      url,
      domain,
      title,
      cited,
    ]),
  );
  return copyRows(tx, { name: 'results.copy_unit_sources', table: 'unit_sources', columns }, rows);
}

/** Adds the sums of stored units of a brand. The caller holds the lock of its token row. */
export async function addSourceSums(db: Queryable, brandId: string, unitIds: string[]): Promise<void> {
  // Looks each unit up: a join may read all of them.
  const answers = `unnest($2::uuid[]) as added (unit_id) cross join lateral (
             select u.brand_id, u.run_date, u.platform, u.country, u.mentioned, u.sources_unresolved from units u
             where u.brand_id = $1 and u.id = added.unit_id and u.outcome = 'answered' offset 0
           ) u`;
  await execute(db, {
    name: 'results.add_source_sums',
    // A plan that was made while the tables were almost empty reads all of them.
    prepare: false,
    text: `with cited as materialized (
             select u.*, added.unit_id, s.domain, s.url, s.title
             from ${answers} cross join lateral (
               select domain, url, title from unit_sources
               where own_brand_id = $1 and unit_id = added.unit_id and cited offset 0
             ) s
           ), days as (${sumsOfDays})
           ${sumsOfPages}`,
    values: [brandId, unitIds],
  });
  await execute(db, {
    name: 'results.add_answers_of_units',
    prepare: false,
    text: sumsOfAnswers(answers),
    values: [brandId, unitIds],
  });
}
