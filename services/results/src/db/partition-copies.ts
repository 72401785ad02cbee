import { zeroUuid } from '@bv/pagination';
import { execute, maybeOne, one, type Queryable, type Transaction } from '@bv/postgres';

/** Names of columns. A later column of the same name in both tables is copied too, except those of the units. */
type CopiedTable = { name: string; ownBrand: string; sort: readonly string[]; direction: 'asc' | 'desc' };

/** In the order of the copy. Brands and sources of units are copied with the units. Each sort is that of an index. */
export const copiedTables: readonly CopiedTable[] = [
  { name: 'units', ownBrand: 'brand_id', sort: ['run_date', 'finalized_at', 'id'], direction: 'desc' },
  ...(
    [
      ['source_days', 'brand_id', ['run_date', 'domain', 'platform', 'country']],
      ['source_pages', 'brand_id', ['domain', 'run_date', 'platform', 'country', 'md5(url)']],
      ['answered_days', 'brand_id', ['run_date', 'platform', 'country']],
      ['cell_days', 'brand_id', ['run_date', 'prompt_id', 'country', 'platform', 'model']],
      ['share_of_voice', 'own_brand_id', ['platform', 'country', 'run_date', 'brand_id']],
      ['scores', 'brand_id', ['country', 'run_date']],
      ['window_scores', 'brand_id', ['country', 'window_days', 'run_date']],
    ] as const
  ).map(([name, ownBrand, sort]) => ({ name, ownBrand, sort, direction: 'asc' as const })),
];

/** Values of the columns of a sort. */
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

const columnsOfUnits = {
  unit_brands: `unit_id, ordinal, brand_id, name, domain, is_own, mentioned, mention_count, position, sentiment, cited,
    evidence, means_brand`,
  unit_sources: 'unit_id, position, url, domain, title, cited',
};

/** Copies the brands or the sources of the units of a page. */
const copyOfUnits = (
  name: keyof typeof columnsOfUnits,
): string => `insert into partitioned_${name} (own_brand_id,
    ${columnsOfUnits[name]})
  select $1::uuid, found.* from page cross join lateral (
    select ${columnsOfUnits[name]} from ${name} where ${name}.unit_id = page.id offset 0
  ) found
  on conflict do nothing`;

const column = (part: string): string => part.replace(/^md5\((\w+)\)$/u, '$1');
const ofAlias = (sort: readonly string[], alias: string): string =>
  sort.map((part) => part.replace(column(part), `${alias}.${column(part)}`)).join(', ');

type CopiedPage = { rows: number; last_key: SortKey };

/**
 * Copies a page of a brand's rows, after the row with the given key. Rows that a trigger has copied stay. Returns the
 * key of the last row, or undefined if there was none. The caller holds the lock of the brand's token row.
 */
export function copyPage(
  tx: Transaction,
  { name, ownBrand, sort, direction }: CopiedTable,
  { brandId, after, limit }: { brandId: string; after: SortKey | null; limit: number },
): Promise<CopiedPage | undefined> {
  const order = (alias: string, way: string): string =>
    sort.map((part) => `${ofAlias([part], alias)} ${way}`).join(', ');
  const reverse = direction === 'asc' ? 'desc' : 'asc';
  const isAfter = `(${ofAlias(sort, 't')}) ${direction === 'asc' ? '>' : '<'} (${ofAlias(sort, 'last')})`;
  return maybeOne<CopiedPage>(tx, {
    name: `results.copy_${name}${after === null ? '' : '_after'}`,
    // A plan that was made while the copies were almost empty reads all of them.
    prepare: false,
    text: `with page as materialized (
             select t.* from ${name} t${after === null ? '' : `, jsonb_populate_record(null::${name}, $3::jsonb) last`}
             where t.${ownBrand} = $1 ${after === null ? '' : `and ${isAfter}`}
             order by ${order('t', direction)} limit $2
           ), copied as (
             insert into partitioned_${name} select * from page on conflict do nothing
           )${
             name === 'units'
               ? `, brands as (${copyOfUnits('unit_brands')}), sources as (${copyOfUnits('unit_sources')})`
               : ''
           }
           select count(*) over () as rows,
             jsonb_build_object(${sort.map((part) => `'${column(part)}', page.${column(part)}`).join(', ')}) as last_key
           from page order by ${order('page', reverse)} limit 1`,
    values: [brandId, limit, ...(after === null ? [] : [JSON.stringify(after)])],
  });
}
