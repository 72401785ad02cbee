import { zeroUuid } from '@bv/pagination';
import { execute, maybeOne, one, type Queryable, type Transaction } from '@bv/postgres';

/** In the order of the copy. Brands and sources of units are copied with the units. */
export const copiedTables = [
  'units',
  'source_days',
  'source_pages',
  'answered_days',
  'cell_days',
  'share_of_voice',
  'scores',
  'window_scores',
] as const;

type CopiedTable = (typeof copiedTables)[number];

/** Values of the columns by which the rows of a table are copied in order. */
type SortKey = Record<string, unknown>;

export type CopyProgress = { table_name: string | null; last_key: SortKey | null; is_copied: boolean };

/**
 * Locks the token row of the first brand, after a given one, whose rows are not all copied: no other transaction changes
 * or deletes rows of the brand meanwhile. Skips brands whose row another transaction holds.
 */
export async function lockUncopiedBrand(
  tx: Transaction,
  after: string = zeroUuid,
): Promise<string | undefined> {
  const row = await maybeOne<{ brand_id: string }>(tx, {
    name: 'results.lock_uncopied_brand',
    text: `select t.brand_id from brand_tokens t
           where t.brand_id > $1
             and not exists (select from partition_copies c where c.brand_id = t.brand_id and c.copied_at is not null)
           order by t.brand_id limit 1 for update of t skip locked`,
    values: [after],
  });
  return row?.brand_id;
}

export async function findCopyProgress(tx: Transaction, brandId: string): Promise<CopyProgress> {
  const progress = await maybeOne<CopyProgress>(tx, {
    name: 'results.find_copy_progress',
    text: `select table_name, last_key, copied_at is not null as is_copied from partition_copies where brand_id = $1`,
    values: [brandId],
  });
  return progress ?? { table_name: null, last_key: null, is_copied: false };
}

/** Stores the table in progress, and the key of its last copied row. Without a table the brand is copied. */
export function upsertCopyProgress(
  tx: Transaction,
  brandId: string,
  { tableName, lastKey }: { tableName: string | null; lastKey: SortKey | null },
): Promise<number> {
  return execute(tx, {
    name: 'results.upsert_copy_progress',
    text: `insert into partition_copies (brand_id, table_name, last_key, copied_at)
           values ($1, $2, $3, case when $2::text is null then clock_timestamp() end)
           on conflict (brand_id) do update set table_name = excluded.table_name, last_key = excluded.last_key,
             copied_at = excluded.copied_at`,
    values: [brandId, tableName, lastKey === null ? null : JSON.stringify(lastKey)],
  });
}

/** Number of brands whose rows are not all copied. */
export async function countUncopiedBrands(db: Queryable): Promise<number> {
  const row = await one<{ count: number }>(db, {
    name: 'results.count_uncopied_brands',
    text: `select count(*) as count from brand_tokens t
           where not exists (select from partition_copies c where c.brand_id = t.brand_id and c.copied_at is not null)`,
    values: [],
  });
  return row.count;
}

type CopiedPage = { copied: number; last_key: SortKey | null };

/**
 * Copies a page of a brand's rows, after the row with the given key. Returns the number of rows, and the key of the last
 * one. The caller holds the lock of the brand's token row.
 */
export function copyPage(
  tx: Transaction,
  table: CopiedTable,
  { brandId, after, limit }: { brandId: string; after: SortKey | null; limit: number },
): Promise<CopiedPage> {
  return one<CopiedPage>(tx, {
    name: 'results.copy_partition_page',
    text: 'select copied, last_key from copy_partition_page($1, $2, $3::jsonb, $4)',
    values: [table, brandId, after === null ? null : JSON.stringify(after), limit],
  });
}
