import { execute, many, maybeOne, one, type Queryable, type Transaction } from '@bv/postgres';
import type { KeptDays, Retention } from '../domain/retention.ts';

export const everyDay: KeptDays = { units_from: null, texts_from: null };

/** The first days of a brand that are kept. */
export async function findKeptDays(db: Queryable, brandId: string): Promise<KeptDays> {
  const row = await maybeOne<KeptDays>(db, {
    name: 'results.find_kept_days',
    text: 'select units_from, texts_from from brand_tokens where brand_id = $1',
    values: [brandId],
  });
  return row ?? everyDay;
}

/** SQL for the first day of which brand `$1` keeps units, and the first of which it keeps texts. */
export const firstUnitDay = `coalesce((select units_from from brand_tokens where brand_id = $1), '-infinity')`;
export const firstTextDay = `coalesce(
  (select greatest(units_from, texts_from) from brand_tokens where brand_id = $1), '-infinity')`;

/** SQL for the first day that a retention keeps. Null if it is for ever. */
const cutoff = (column: string, today: string, setting: string): string =>
  `case when coalesce(o.${column}, ${setting}) > 0 then ${today}::date - coalesce(o.${column}, ${setting}::int) end`;

/** A brand whose results a retention may concern. */
export type RetainedBrand = KeptDays & {
  brand_id: string;
  org_id: string;
  /** Whether a later day than now is to be the first one that is kept, or the organisation is unknown. */
  is_due: boolean;
  units_removed_before: string | null;
  texts_removed_before: string | null;
};

type Today = { today: string; retention: Retention };

/** Brands with a day whose retention has ended, or with rows to remove, by id. */
export function listRetainedBrands(
  db: Queryable,
  { today, retention, after, limit }: Today & { after: string | null; limit: number },
): Promise<RetainedBrand[]> {
  return many<RetainedBrand>(db, {
    name: 'results.list_retained_brands',
    text: `select * from (
             select t.brand_id, t.org_id, t.units_from, t.texts_from, t.units_removed_before, t.texts_removed_before,
               o.id is null
                 or coalesce(${cutoff('unit_days', '$1', '$2')} > coalesce(t.units_from, '-infinity'), false)
                 or coalesce(${cutoff('answer_text_days', '$1', '$3')} > coalesce(t.texts_from, '-infinity'), false)
                 as is_due
             from brand_tokens t left join orgs o on o.id = t.org_id
             where $4::uuid is null or t.brand_id > $4
           ) brands
           where is_due or units_from > coalesce(units_removed_before, '-infinity')
             or texts_from > coalesce(texts_removed_before, '-infinity')
           order by brand_id limit $5`,
    values: [today, retention.unitDays, retention.answerTextDays, after, limit],
  });
}

/**
 * Moves the first days that are kept to those of the organisation's retention, never back. A day that is not scored yet
 * keeps its units and those of later days. The caller holds the lock of the brand's token row.
 */
export async function updateKeptDays(
  tx: Transaction,
  brand: { id: string; orgId: string },
  { today, retention }: Today,
): Promise<KeptDays | undefined> {
  const due = await maybeOne<KeptDays>(tx, {
    name: 'results.find_due_days',
    text: `select ${cutoff('unit_days', '$2', '$3')} as units_from, ${cutoff('answer_text_days', '$2', '$4')} as texts_from
           from orgs o where id = $1`,
    values: [brand.orgId, today, retention.unitDays, retention.answerTextDays],
  });
  if (due === undefined) return undefined;
  return maybeOne<KeptDays>(tx, {
    name: 'results.update_kept_days',
    text: `update brand_tokens t set
             units_from = case when $2::date is null then t.units_from
               else greatest(t.units_from, least($2, (select min(run_date) from unscored_days where brand_id = $1))) end,
             texts_from = greatest(t.texts_from, $3::date),
             last_verified_day = greatest(t.last_verified_day,
               (select max(run_date) from units
                where brand_id = $1 and run_date < $2 and mention_method = 'words+llm'))
           where t.brand_id = $1
           returning t.units_from, t.texts_from`,
    values: [brand.id, due.units_from, due.texts_from],
  });
}

type Days = { from: string | null; before: string | null };

/** The first day with units from one day on and before another. */
export async function findUnitDay(
  db: Queryable,
  brandId: string,
  { from, before }: Days,
): Promise<string | undefined> {
  const row = await maybeOne<{ run_date: string }>(db, {
    name: 'results.find_unit_day',
    text: `select run_date from units
           where brand_id = $1 and run_date >= coalesce($2::date, '-infinity') and run_date < $3
           order by run_date limit 1`,
    values: [brandId, from, before],
  });
  return row?.run_date;
}

/** The place of a unit in the order of its day. */
export type UnitPlace = { finalized_at: string; id: string };

/** The next units of a day, by the time of their end. */
export function listNextUnits(
  db: Queryable,
  {
    brandId,
    runDate,
    after,
    limit,
  }: { brandId: string; runDate: string; after: UnitPlace | null; limit: number },
): Promise<UnitPlace[]> {
  return many<UnitPlace>(db, {
    name: 'results.list_next_units',
    prepare: false,
    text: `select finalized_at, id from units
           where brand_id = $1 and run_date = $2 and ($3::timestamptz is null or (finalized_at, id) > ($3, $4::uuid))
           order by finalized_at, id limit $5`,
    values: [brandId, runDate, after?.finalized_at ?? null, after?.id ?? null, limit],
  });
}

/**
 * Clears the texts of units of a brand, and the names in them. Returns the number of texts. If the sums of the day have
 * the names, `informative` stays for the next time that the day is scored.
 */
export function clearTexts(
  tx: Transaction,
  brandId: string,
  unitIds: string[],
  isScored = true,
): Promise<number> {
  return execute(tx, {
    name: 'results.clear_texts',
    text: `update units set answer_text = null, answer_truncated = false, others = null,
             informative = case when $3 then informative end
           where brand_id = $1 and id = any($2::uuid[]) and answer_text is not null`,
    values: [brandId, unitIds, isScored],
  });
}

/** Records that no unit is left before a day. */
export function updateUnitsRemoved(db: Queryable, brandId: string, before: string): Promise<number> {
  return execute(db, {
    name: 'results.update_units_removed',
    text: 'update brand_tokens set units_removed_before = $2 where brand_id = $1',
    values: [brandId, before],
  });
}

/** Records that no text is left before a day. */
export function updateTextsRemoved(db: Queryable, brandId: string, before: string): Promise<number> {
  return execute(db, {
    name: 'results.update_texts_removed',
    text: 'update brand_tokens set texts_removed_before = $2 where brand_id = $1',
    values: [brandId, before],
  });
}

/** Number of brands with rows to remove, at most `max`. */
export async function countRetentionBacklog(db: Queryable, max: number): Promise<number> {
  const row = await one<{ count: number }>(db, {
    name: 'results.count_retention_backlog',
    text: `select count(*) as count from (
             select 1 from brand_tokens
             where units_from > coalesce(units_removed_before, '-infinity')
               or texts_from > coalesce(texts_removed_before, '-infinity')
             limit $1) brands`,
    values: [max],
  });
  return row.count;
}
