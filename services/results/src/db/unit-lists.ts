import type { DateWindow, Surface } from '@bv/contract';
import { limitPageBytes, many, one, type Paged, type Queryable } from '@bv/postgres';
import { nameBrands } from './brands.ts';
import type { StoredName } from './units.ts';

/** Sort tuple of a unit, newest first. */
export type UnitKey = { runDate: string; finalizedAt: string; id: string };

/** A window and the filters of a list; null selects all. */
export type UnitFilters = DateWindow & { platform: string | null; country: string | null };

export type UnitPage = UnitFilters & {
  after: UnitKey | null;
  limit: number;
};

/**
 * SQL condition for the start of a page of units: the end of the window, or the last row of the previous page. Never
 * both: the second implies the first, and with both the planner expects too few rows to choose the index scan.
 */
const pageStart = ({ after }: UnitPage, parameter: number): string =>
  after === null
    ? `run_date <= $${parameter}`
    : `(run_date, finalized_at, id) < ($${parameter}::date, $${parameter + 1}::timestamptz, $${parameter + 2}::uuid)`;

const pageStartValues = ({ to, after }: UnitPage): string[] =>
  after === null ? [to] : [after.runDate, after.finalizedAt, after.id];

const newestFirst = 'run_date desc, finalized_at desc, id desc';

/** Whether any unit of a brand matches the filters, on any day. */
export async function hasUnits(
  db: Queryable,
  brandId: string,
  filters: Pick<UnitPage, 'platform' | 'country'>,
): Promise<boolean> {
  const { platform, country } = filters;
  if (platform === null && country === null) return true;
  const { found } = await one<{ found: boolean }>(db, {
    name: 'results.has_units',
    text: `select exists (select 1 from unit_markets where brand_id = $1
             and ($2::text is null or platform = $2) and ($3::text is null or country = $3)) as found`,
    values: [brandId, platform, country],
  });
  return found;
}

/** An array in column order: on pages of 1,000 rows it takes 14 % less time than objects. */
export type MentionRow = [
  id: string,
  promptId: string,
  runDate: string,
  platform: string,
  country: string,
  finalizedAt: string,
  mentioned: boolean,
  position: number | null,
  sentiment: number | null,
];

/** A page of an own brand's units with that brand's mention only. Call it in a transaction with `preferIndexScan`. */
export function listMentionRows(db: Queryable, brandId: string, page: UnitPage): Promise<MentionRow[]> {
  return many<MentionRow>(db, {
    name: page.after === null ? 'results.list_mentions_first' : 'results.list_mentions_next',
    rowMode: 'array',
    text: `select id, prompt_id, run_date, platform, country, finalized_at, mentioned, position, sentiment
           from units
           where brand_id = $1 and run_date >= $2
             and ($3::text is null or platform = $3) and ($4::text is null or country = $4)
             and ${pageStart(page, 6)}
           order by ${newestFirst} limit $5`,
    values: [brandId, page.from, page.platform, page.country, page.limit, ...pageStartValues(page)],
  });
}

export type PromptResultRow = {
  id: string;
  prompt_id: string;
  brand_id: string;
  job_id: string | null;
  run_date: string;
  platform: string;
  country: string;
  finalized_at: string;
  outcome: 'answered' | 'no_answer';
  mentioned: boolean;
  position: number | null;
  sentiment: number | null;
  sentiment_method: 'lexicon' | 'llm' | null;
  mention_method: 'words' | 'words+llm' | null;
  cited: boolean;
  answer_text: string | null;
  answer_truncated: boolean;
  model: string | null;
  search_used: boolean | null;
  localization: 'native' | 'prompt' | 'none';
  search_queries: string[];
  surface: Surface | null;
  collector: string | null;
  sources_unresolved: number;
  others: StoredName[] | null;
  informative: boolean | null;
};

const promptResultColumns = `id, prompt_id, brand_id, job_id, run_date, platform, country, finalized_at, outcome,
  mentioned, position, sentiment, sentiment_method, mention_method, cited, answer_text, answer_truncated, model,
  search_used, localization, search_queries, surface, collector, sources_unresolved, others, informative`;

/** SQL for the stored size of a unit `sized` of brand `$2`, with its sources and brands. */
const unitBytes = `coalesce(octet_length(answer_text), 0) + octet_length(search_queries::text)
  + coalesce(octet_length(others::text), 0)
  + (select coalesce(sum(200 + octet_length(url) + coalesce(octet_length(title), 0)), 0) from unit_sources
      where own_brand_id = $2 and unit_id = sized.id)
  + (select coalesce(sum(400 + octet_length(name) + 16 * coalesce(cardinality(evidence), 0)), 0) from unit_brands
      where own_brand_id = $2 and unit_id = sized.id)`;

/** A page of the units of a prompt under its own brand. Call it in a transaction with `preferIndexScan`. */
export function listPromptResultRows(
  db: Queryable,
  prompt: { id: string; brandId: string },
  page: UnitPage,
): Promise<Paged<PromptResultRow>[]> {
  return many(db, {
    name: page.after === null ? 'results.list_prompt_results_first' : 'results.list_prompt_results_next',
    text: limitPageBytes({
      columns: promptResultColumns,
      order: newestFirst,
      bytes: unitBytes,
      rows: `select ${promptResultColumns} from units
           where prompt_id = $1 and brand_id = $2 and run_date >= $3
             and ($4::text is null or platform = $4) and ($5::text is null or country = $5)
             and ${pageStart(page, 7)}
           order by ${newestFirst} limit $6`,
    }),
    values: [
      prompt.id,
      prompt.brandId,
      page.from,
      page.platform,
      page.country,
      page.limit,
      ...pageStartValues(page),
    ],
  });
}

export type UnitBrandRow = {
  unit_id: string;
  brand_id: string;
  name: string;
  domain: string;
  is_own: boolean;
  mentioned: boolean;
  mention_count: number;
  position: number | null;
  sentiment: number | null;
  cited: boolean;
  /** Pairs of start and end. */
  evidence: number[] | null;
};

/**
 * The brands of the given units with their current names. Reads unit by unit (lateral join): for `= any` on a table
 * without statistics, the planner chooses a sequential scan that compares every row with every id.
 */
export async function listUnitBrands(
  db: Queryable,
  ownBrandId: string,
  unitIds: string[],
): Promise<UnitBrandRow[]> {
  const rows = await many<UnitBrandRow>(db, {
    name: 'results.list_unit_brands',
    text: `select u.unit_id, u.brand_id, u.name, u.domain, u.is_own, u.mentioned, u.mention_count, u.position,
             u.sentiment, u.cited, u.evidence
           from unnest($2::uuid[]) as page (unit_id)
             cross join lateral (
               select * from unit_brands b where b.own_brand_id = $1 and b.unit_id = page.unit_id offset 0
             ) u
           order by u.unit_id, u.ordinal`,
    values: [ownBrandId, unitIds],
  });
  return nameBrands(db, rows);
}

export type UnitSourceRow = {
  unit_id: string;
  position: number;
  url: string;
  domain: string;
  title: string | null;
  cited: boolean;
};

export function listUnitSources(
  db: Queryable,
  ownBrandId: string,
  unitIds: string[],
): Promise<UnitSourceRow[]> {
  return many<UnitSourceRow>(db, {
    name: 'results.list_unit_sources',
    text: `select s.unit_id, s.position, s.url, s.domain, s.title, s.cited
           from unnest($2::uuid[]) as page (unit_id)
             cross join lateral (
               select * from unit_sources c where c.own_brand_id = $1 and c.unit_id = page.unit_id offset 0
             ) s
           order by s.unit_id, s.position`,
    values: [ownBrandId, unitIds],
  });
}
