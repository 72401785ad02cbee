import { many, type Queryable } from '@bv/postgres';
import type { NameKind } from '../domain/name-kind.ts';
import { firstTextDay } from './retention.ts';
import type { UnitFilters } from './unit-lists.ts';

export type DiscoveredRow = {
  key: string;
  units_mentioned: number;
  /** Most frequent first. */
  names: string[];
  domain: string | null;
  mention_rate: number;
  average_position: number;
  platforms: string[];
  countries: string[];
  first_seen: string;
  last_seen: string;
  /** The prompts of the answers, and how many of the answers each has. */
  prompt_ids: string[];
  prompt_units: number[];
  examples: { id: string; start: number; end: number }[];
  judged_kind: NameKind | null;
};

/** Sort tuple of the last row of the previous page. */
export type NamePosition = { units: number; key: string };

type NamePage = UnitFilters & { minUnits: number; after: NamePosition | null; limit: number };

const inWindow = `run_date between $2 and $3 and ($4::text is null or platform = $4) and ($5::text is null or country = $5)`;

const discoveredNames = `with names as (
    select key, sum(cardinality(prompt_ids))::int as units from name_days
    where brand_id = $1 and ${inWindow} and not is_tracked group by key
  ), page as materialized (
    select * from names where units >= $6 and ($7::int is null or (-units, key) > (-$7, $8))
    order by units desc, key limit $9
  ), days as materialized (
    select d.*, cardinality(prompt_ids) as answers from page join name_days d using (key)
    where d.brand_id = $1 and ${inWindow} and not is_tracked
  ), spelled as (
    select key, (array_agg(name order by answers desc, name))[:50] as names
    from (select key, name, sum(answers) as answers from days group by key, name) n group by key
  ), linked as (
    select distinct on (key) key, domain
    from (select key, domain, sum(answers) as answers from days where domain <> '' group by key, domain) n
    order by key, answers desc, domain
  ), asked as materialized (
    select prompt_id, country, platform, sum(units_read) as read from cell_days
    where brand_id = $1 and ${inWindow}
    group by prompt_id, country, platform having sum(units_read) > 0
  ), cells as (
    select key, prompt_id, country, platform, count(*)::int as units
    from days cross join unnest(prompt_ids) as prompt_id group by key, prompt_id, country, platform
  ), prompts as (
    select key, prompt_id, sum(units)::int as units, sum(100 * units / read::float8) as rates
    from cells join asked using (prompt_id, country, platform) group by key, prompt_id
  ), rated as (
    select key, sum(rates) / (select count(*) from asked) as mention_rate,
      array_agg(prompt_id) as prompt_ids, array_agg(units) as prompt_units
    from prompts group by key
  ), shown as (
    select key, jsonb_agg(example - 'at' order by place) filter (where place <= 3) as examples
    from (select key, example, row_number() over (partition by key
            order by run_date desc, example -> 'at' desc, example ->> 'id' desc) as place
          from days cross join jsonb_array_elements(examples) as example
          where run_date >= ${firstTextDay}) e
    group by key
  ), seen as (
    select key, min(run_date) as first_seen, max(run_date) as last_seen,
      sum(rank_sum) / sum(answers)::float8 as average_position,
      array_agg(distinct platform order by platform) as platforms, array_agg(distinct country) as countries
    from days group by key
  )
  select page.key, page.units as units_mentioned, names, linked.domain, mention_rate, average_position, platforms,
    countries, first_seen, last_seen, prompt_ids, prompt_units, coalesce(examples, '[]') as examples,
    (select kind from name_judgements j where j.brand_id = $1 and j.key = page.key) as judged_kind
  from page join spelled using (key) join seen using (key) join rated using (key) left join linked using (key)
    left join shown using (key)
  order by page.units desc, page.key`;

/** Names of the window, of most answers first, that were not tracked when their days were scored. */
export function listDiscoveredRows(db: Queryable, brandId: string, page: NamePage): Promise<DiscoveredRow[]> {
  return many<DiscoveredRow>(db, {
    name: 'results.list_discovered_names',
    prepare: false,
    text: discoveredNames,
    values: [
      brandId,
      page.from,
      page.to,
      page.platform,
      page.country,
      page.minUnits,
      page.after?.units ?? null,
      page.after?.key ?? null,
      page.limit,
    ],
  });
}
