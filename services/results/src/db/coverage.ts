import type { CoverageSubject } from '@bv/contract';
import { many, one, type Queryable } from '@bv/postgres';
import type { UnitFilters } from './unit-lists.ts';

const inWindow = (table: string): string =>
  `${table}.brand_id = $1 and ${table}.run_date between $2 and $3
     and ($4::text is null or ${table}.platform = $4) and ($5::text is null or ${table}.country = $5)`;

/** SQL for the days of each name, with its answers and the prompt of each. */
const brandDays = `select key, cardinality(prompt_ids) as units, prompt_ids from name_days d where ${inWindow('d')}`;
const domainDays = `select domain as key, units_cited as units, prompt_ids from source_days d where ${inWindow('d')}`;
/** The index of source_pages has the domain before the day. */
const pageDays = `select p.url as key, p.citations as units, p.prompt_ids
    from (select distinct domain from source_days d where ${inWindow('d')}) d
    join source_pages p on p.domain = d.domain and ${inWindow('p')}`;

export type SeenNames = { seen: number; incidences: number; once: number; twice: number };
/** What these lose without the prompt. */
export type PromptNames = Omit<SeenNames, 'seen'> & { prompt_id: string };

type SeenRow = SeenNames & { prompt_id: string | null };

/** The names of the window. `prompts` is null if the prompts of some days are not known. */
export async function countSeenNames(
  db: Queryable,
  brandId: string,
  { subject, from, to, platform, country }: UnitFilters & { subject: CoverageSubject },
): Promise<{ total: SeenNames; prompts: PromptNames[] | null }> {
  const citedDays = subject === 'domains' ? domainDays : pageDays;
  const rows = await many<SeenRow>(db, {
    name: 'results.count_seen_names',
    prepare: false,
    text: `with days as materialized (${subject === 'brands' ? brandDays : citedDays}), names as materialized (
             select key, sum(units)::int as total, sum(cardinality(prompt_ids))::int as known from days group by key
           ), found as (
             select key, prompt_id, count(*)::int as units
             from days cross join unnest(prompt_ids) as prompt_id group by key, prompt_id
           )
           select prompt_id, 0 as seen, sum(units)::int as incidences,
             (count(*) filter (where total = 1) - count(*) filter (where total - units = 1))::int as once,
             (count(*) filter (where total = 2) - count(*) filter (where total - units = 2))::int as twice
           from found join names using (key)
           where (select sum(total) = sum(known) from names) group by prompt_id
           union all
           select null, count(*)::int, coalesce(sum(total), 0)::int, (count(*) filter (where total = 1))::int,
             (count(*) filter (where total = 2))::int
           from names`,
    values: [brandId, from, to, platform, country],
  });
  const { prompt_id: _, ...total } = rows.find(({ prompt_id }) => prompt_id === null) ?? nothing;
  const prompts = rows.flatMap(({ prompt_id, seen: __, ...names }) =>
    prompt_id === null ? [] : { prompt_id, ...names },
  );
  return { total, prompts: prompts.length === 0 && total.seen > 0 ? null : prompts };
}

const nothing: SeenRow = { prompt_id: null, seen: 0, incidences: 0, once: 0, twice: 0 };

export type PromptUnits = { prompt_id: string; units_read: number; units_answered: number };

/** Answers of each prompt in the window. */
export function listPromptUnits(
  db: Queryable,
  brandId: string,
  { from, to, platform, country }: UnitFilters,
): Promise<PromptUnits[]> {
  return many<PromptUnits>(db, {
    name: 'results.list_prompt_units',
    text: `select prompt_id, sum(units_read)::int as units_read, sum(units_answered)::int as units_answered
           from cell_days d where ${inWindow('d')}
           group by prompt_id having sum(units_answered) > 0`,
    values: [brandId, from, to, platform, country],
  });
}

/** Answers of the window, those of scans that are not scored yet included. */
export async function countAnsweredUnits(
  db: Queryable,
  brandId: string,
  { from, to, platform, country }: UnitFilters,
): Promise<number> {
  const { units } = await one<{ units: number }>(db, {
    name: 'results.count_answered_units',
    text: `select coalesce(sum(units_answered), 0)::int as units from answered_days d where ${inWindow('d')}`,
    values: [brandId, from, to, platform, country],
  });
  return units;
}
