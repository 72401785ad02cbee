import { copyRows, execute, type Queryable, type Transaction } from '@bv/postgres';

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

/** `cited` has a row for each citation. `is_first` marks one citation of each answer and domain. */
const sumsOfDays = (
  cited: string,
): string => `insert into source_days as d (brand_id, run_date, domain, platform, country, citations, units_cited,
    units_mentioned, units_unresolved, units_with_competitor, units_gap, prompt_ids)
  select brand_id, run_date, domain, platform, country, count(*), count(*) filter (where is_first),
    count(*) filter (where is_first and mentioned), count(*) filter (where is_first and sources_unresolved > 0),
    count(*) filter (where is_first and competitor_mentioned),
    count(*) filter (where is_first and competitor_mentioned and not mentioned),
    array_agg(prompt_id) filter (where is_first)
  from ${cited} group by brand_id, run_date, domain, platform, country
  on conflict (brand_id, run_date, domain, platform, country) do update set
    citations = d.citations + excluded.citations, units_cited = d.units_cited + excluded.units_cited,
    units_mentioned = d.units_mentioned + excluded.units_mentioned,
    units_unresolved = d.units_unresolved + excluded.units_unresolved,
    units_with_competitor = d.units_with_competitor + excluded.units_with_competitor,
    units_gap = d.units_gap + excluded.units_gap, prompt_ids = d.prompt_ids || excluded.prompt_ids`;

/** An answer cites a page once, so its citations are its citing answers. */
const sumsOfPages = (
  cited: string,
): string => `insert into source_pages as p (brand_id, domain, run_date, platform, country, url, title, citations,
    units_mentioned, units_with_competitor, units_gap, prompt_ids)
  select brand_id, domain, run_date, platform, country, url, max(title), count(*),
    count(*) filter (where mentioned), count(*) filter (where competitor_mentioned),
    count(*) filter (where competitor_mentioned and not mentioned), array_agg(prompt_id)
  from ${cited} group by brand_id, domain, run_date, platform, country, url
  on conflict (brand_id, domain, run_date, platform, country, md5(url)) do update set
    title = greatest(p.title, excluded.title), citations = p.citations + excluded.citations,
    units_mentioned = p.units_mentioned + excluded.units_mentioned,
    units_with_competitor = p.units_with_competitor + excluded.units_with_competitor,
    units_gap = p.units_gap + excluded.units_gap, prompt_ids = p.prompt_ids || excluded.prompt_ids`;

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
  prompt_id: string;
  mentioned: boolean;
  /** Whether the answer mentions a tracked competitor. */
  competitor_mentioned: boolean;
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
  const cited = answers.flatMap(({ sources, id: _, outcome: __, ...unit }) => {
    const links = sources.filter((source) => source.cited);
    const firsts = new Map(links.toReversed().map((source) => [source.domain, source.position]));
    return links.map(({ url, domain, title, position }) => {
      const is_first = firsts.get(domain) === position;
      return { ...unit, url, domain, title, is_first };
    });
  });
  const citations = `jsonb_to_recordset($1::jsonb) as s (url text, domain text, title text, is_first boolean,
    brand_id uuid, run_date date, platform text, country text, prompt_id uuid, mentioned boolean,
    competitor_mentioned boolean, sources_unresolved int)`;
  const values = [JSON.stringify(cited)];
  await execute(tx, { name: 'results.add_cited_domains', text: sumsOfDays(citations), values });
  await execute(tx, { name: 'results.add_cited_pages', text: sumsOfPages(citations), values });
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
             select u.brand_id, u.run_date, u.platform, u.country, u.prompt_id, u.mentioned, u.sources_unresolved,
               exists (select from unit_brands b where b.own_brand_id = $1 and b.unit_id = u.id and b.mentioned
                 and not b.is_own) as competitor_mentioned
             from units u
             where u.brand_id = $1 and u.id = added.unit_id and u.outcome = 'answered' offset 0
           ) u`;
  const cited = `(
             select u.*, s.domain, s.url, s.title, s.is_first
             from ${answers} cross join lateral (
               select domain, url, title, row_number() over (partition by domain) = 1 as is_first from unit_sources
               where own_brand_id = $1 and unit_id = added.unit_id and cited offset 0
             ) s
           ) cited`;
  const values = [brandId, unitIds];
  // A plan that was made while the tables were almost empty reads all of them.
  const prepare = false;
  await execute(db, { name: 'results.add_domains_of_units', prepare, text: sumsOfDays(cited), values });
  await execute(db, { name: 'results.add_pages_of_units', prepare, text: sumsOfPages(cited), values });
  await execute(db, {
    name: 'results.add_answers_of_units',
    prepare: false,
    text: sumsOfAnswers(answers),
    values: [brandId, unitIds],
  });
}
