import type { Surface } from '@bv/contract';
import type { EventData, unitFinalised } from '@bv/events';
import { copyRows, execute, many, maybeOne, one, type Queryable, type Transaction } from '@bv/postgres';
import { firstUnitDay } from './retention.ts';

type UnitEvent = EventData<typeof unitFinalised>;
type EventBrand = UnitEvent['brands'][number];

/** A finalised unit from an event of scans, or from an import: that has no scan, and does not say how it was read. */
export type FinalisedUnit = Omit<UnitEvent, 'job_id' | 'mention_method' | 'brands'> & {
  job_id: string | null;
  mention_method: UnitEvent['mention_method'] | null;
  /** Null or absent: that of the platform. */
  surface?: Surface | null;
  /** Who collected an imported answer. */
  collector?: string | null;
  brands: (Omit<EventBrand, 'evidence'> & { evidence: EventBrand['evidence'] | null })[];
};

/** The own brand's result in an answer, as stored with the unit. */
type OwnResult = { mentioned: boolean; position: number | null; sentiment: number | null; cited: boolean };

/** A unit as stored: the platform's answer and the mention of the own brand in it. */
export type UnitInput = Omit<FinalisedUnit, 'unit_id' | 'brands' | 'sources' | 'others'> & {
  id: string;
  searched_brands: string;
} & OwnResult &
  UnitNames;

/** As an object it would take twice the bytes, which slows the ingest down. */
export type StoredName = [
  name: string,
  key: string,
  start: number,
  end: number,
  domain: string | null,
  rank: number,
];

/** Names in an answer that are not tracked, and whether it names a company. Null without a text that was read. */
export type UnitNames = { others: readonly StoredName[] | null; informative: boolean | null };

/** A unit is stored under its own brand: the table is partitioned by it. */
type UnitId = { brand_id: string; id: string };

/** Inserts units in one statement and returns the new ones. */
export function insertUnits(db: Queryable, units: UnitInput[]): Promise<UnitId[]> {
  return many<UnitId>(db, {
    name: 'results.insert_units',
    text: `insert into units (id, org_id, brand_id, prompt_id, job_id, platform, country, run_date, finalized_at,
             outcome, mentioned, position, sentiment, cited, answer_text, answer_truncated, model, search_used,
             localization, search_queries, sentiment_method, mention_method, method_version, surface, collector,
             sources_unresolved, searched_brands, others, informative)
           select id, org_id, brand_id, prompt_id, job_id, platform, country, run_date, finalized_at, outcome,
             mentioned, position, sentiment, cited, answer_text, answer_truncated, model, search_used,
             localization, search_queries, sentiment_method, mention_method, method_version, surface, collector,
             sources_unresolved, searched_brands, others, informative
           from jsonb_to_recordset($1::jsonb) as u (id uuid, org_id uuid, brand_id uuid, prompt_id uuid,
             job_id uuid, platform text, country text, run_date date, finalized_at timestamptz, outcome text,
             mentioned boolean, position int, sentiment numeric, cited boolean, answer_text text,
             answer_truncated boolean, model text, search_used boolean, localization text, search_queries text[],
             sentiment_method text, mention_method text, method_version text, surface text, collector text,
             sources_unresolved int, searched_brands text, others jsonb, informative boolean)
           on conflict do nothing returning brand_id, id`,
    values: [JSON.stringify(units)],
  });
}

/** A tracked brand in an answer, as stored. */
export type UnitBrandInput = Omit<FinalisedUnit['brands'][number], 'evidence'> & {
  unit_id: string;
  ordinal: number;
  /** Pairs of start and end. */
  evidence: number[] | null;
};

const unitBrandColumns = [
  'unit_id',
  'ordinal',
  'brand_id',
  'name',
  'domain',
  'is_own',
  'mentioned',
  'mention_count',
  'position',
  'sentiment',
  'cited',
  'evidence',
  'means_brand',
] as const satisfies readonly (keyof UnitBrandInput)[];

/** Adds the brands of units that have none. */
export function insertUnitBrands(
  tx: Transaction,
  brands: readonly (UnitBrandInput & { own_brand_id: string })[],
): Promise<number> {
  const columns = ['own_brand_id', ...unitBrandColumns] as const;
  const rows = brands.map((brand) => columns.map((column) => brand[column]));
  return copyRows(tx, { name: 'results.copy_unit_brands', table: 'unit_brands', columns }, rows);
}

/** A stored unit with the brands that a later extraction found in its answer. */
export type ReplacedUnit = OwnResult &
  UnitNames & {
    id: string;
    sentiment_method: 'lexicon' | 'llm' | null;
    mention_method: 'words' | 'words+llm' | null;
    brands: UnitBrandInput[];
  };

/**
 * Replaces the brands of stored units, and the own result in the units. The caller holds the token row of
 * their brand, and updates the sums and scores of the day.
 */
export async function replaceUnitBrands(
  tx: Transaction,
  brandId: string,
  units: ReplacedUnit[],
): Promise<void> {
  await deleteUnitBrands(
    tx,
    brandId,
    units.map(({ id }) => id),
  );
  await insertUnitBrands(
    tx,
    units.flatMap(({ brands }) => brands.map((brand) => ({ ...brand, own_brand_id: brandId }))),
  );
  await execute(tx, {
    name: 'results.update_unit_results',
    // A plan that was made while the table was almost empty reads all of it.
    prepare: false,
    text: `update units set mentioned = r.mentioned, position = r.position, sentiment = r.sentiment, cited = r.cited,
             sentiment_method = r.sentiment_method, mention_method = r.mention_method, others = r.others,
             informative = r.informative
           from jsonb_to_recordset($1::jsonb) as r (id uuid, mentioned boolean, position int, sentiment numeric,
             cited boolean, sentiment_method text, mention_method text, others jsonb, informative boolean)
           where units.brand_id = $2 and units.id = r.id
             and (units.mentioned, units.position, units.sentiment, units.cited, units.sentiment_method,
               units.mention_method, units.others) is distinct from
               (r.mentioned, r.position, r.sentiment, r.cited, r.sentiment_method, r.mention_method, r.others)`,
    values: [JSON.stringify(units.map(({ brands: _, ...unit }) => unit)), brandId],
  });
}

type UnitMarket = { brand_id: string; platform: string; country: string };

/** Records the platforms and markets of new units. The caller holds the locks of the token rows of their brands. */
export function insertUnitMarkets(db: Queryable, units: readonly UnitMarket[]): Promise<number> {
  return execute(db, {
    name: 'results.insert_unit_markets',
    text: `insert into unit_markets (brand_id, platform, country)
           select distinct brand_id, platform, country
           from unnest($1::uuid[], $2::text[], $3::text[]) as m (brand_id, platform, country)
           on conflict do nothing`,
    values: [units.map((u) => u.brand_id), units.map((u) => u.platform), units.map((u) => u.country)],
  });
}

/** SQL for an answer that may cite the own brand behind a link whose page is not known. */
export const isCitationUnknown = 'not cited and sources_unresolved > 0';

/** Only an import stores units without a scan job. */
const imported = 'job_id is null';

/** The first day of a window, after a given one, that has imported units. */
export async function findImportedDay(
  db: Queryable,
  brandId: string,
  window: { from: string; to: string; after: string | null },
): Promise<string | undefined> {
  const row = await maybeOne<{ run_date: string }>(db, {
    name: 'results.find_imported_day',
    text: `select run_date from units
           where brand_id = $1 and run_date between greatest(coalesce($4::date + 1, $2), ${firstUnitDay}) and $3
             and ${imported}
           order by run_date limit 1`,
    values: [brandId, window.from, window.to, window.after],
  });
  return row?.run_date;
}

export async function listImportedUnitIds(
  db: Queryable,
  brandId: string,
  runDate: string,
  limit: number,
): Promise<string[]> {
  const rows = await many<{ id: string }>(db, {
    name: 'results.list_imported_unit_ids',
    text: `select id from units where brand_id = $1 and run_date = $2 and ${imported} limit $3`,
    values: [brandId, runDate, limit],
  });
  return rows.map(({ id }) => id);
}

/** Units of a brand in a range of days, by their origin. */
export async function countBrandUnits(
  db: Queryable,
  brandId: string,
  { from, to }: { from: string; to: string },
): Promise<{ imported: number; scanned: number }> {
  return one(db, {
    name: 'results.count_brand_units',
    text: `select count(*) filter (where ${imported}) as imported, count(*) filter (where not (${imported})) as scanned
           from units where brand_id = $1 and run_date between greatest($2::date, ${firstUnitDay}) and $3`,
    values: [brandId, from, to],
  });
}

/** A page of all units of a day, by id. */
export async function listUnitIdsOfDay(
  db: Queryable,
  brandId: string,
  runDate: string,
  page: { after: string | null; limit: number },
): Promise<string[]> {
  const rows = await many<{ id: string }>(db, {
    name: 'results.list_unit_ids_of_day',
    text: `select id from units
           where brand_id = $1 and run_date = $2 and ($3::uuid is null or id > $3) order by id limit $4`,
    values: [brandId, runDate, page.after, page.limit],
  });
  return rows.map(({ id }) => id);
}

/** SQL for the brands and sources that were found in units `$2` of brand `$1`. */
export const ofUnits = 'own_brand_id = $1 and unit_id = any($2::uuid[])';

/** Deletes units with the brands and sources found in them. The caller holds the token row of their brand. */
export function deleteUnits(db: Queryable, brandId: string, ids: string[]): Promise<number> {
  return execute(db, {
    name: 'results.delete_units',
    text: `with sources as (delete from unit_sources where ${ofUnits}),
             brands as (delete from unit_brands where ${ofUnits})
           delete from units where brand_id = $1 and id = any($2::uuid[])`,
    values: [brandId, ids],
  });
}

function deleteUnitBrands(db: Queryable, brandId: string, unitIds: string[]): Promise<number> {
  return execute(db, {
    name: 'results.delete_unit_brands',
    text: `delete from unit_brands where ${ofUnits}`,
    values: [brandId, unitIds],
  });
}
