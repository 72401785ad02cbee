import { expect } from '@jest/globals';
import type { Results } from './results.ts';

/** Rows of unit_brands and unit_sources with the own brand that they have in partitions. */
const withOwner = (table: string, units: string): string =>
  `select to_jsonb(t) || jsonb_build_object('own_brand_id', u.brand_id) as row
   from ${table} t join ${units} u on u.id = t.unit_id`;

const names = [
  'units',
  'unit_brands',
  'unit_sources',
  'source_days',
  'source_pages',
  'answered_days',
  'cell_days',
  'share_of_voice',
  'scores',
  'window_scores',
];

/** What a table without partitions holds, as its partitioned copy should. */
function rowsOf(name: string, prefix: string): string {
  const table = `${prefix}${name}`;
  const isOfUnits = name === 'unit_brands' || name === 'unit_sources';
  return isOfUnits ? withOwner(table, `${prefix}units`) : `select to_jsonb(t) as row from ${table} t`;
}

/** Every copied row is as the original, and no original is missing if the copies are complete. */
export async function checkCopies(results: Results, { isComplete }: { isComplete: boolean }): Promise<void> {
  for (const name of names) {
    const copies = `select to_jsonb(t) as row from partitioned_${name} t`;
    const originals = rowsOf(name, '');
    expect([name, await results.query(`${copies} except ${originals}`)]).toEqual([name, []]);
    if (!isComplete) continue;
    expect([name, await results.query(`${originals} except ${copies}`)]).toEqual([name, []]);
  }
}

/** Right after the switch, the tables hold what the former ones do. */
export async function checkSwitched(results: Results): Promise<void> {
  for (const name of names) {
    const rows = `select to_jsonb(t) as row from ${name} t`;
    const former = rowsOf(name, 'unpartitioned_');
    const difference = `(${rows} except all ${former}) union all (${former} except all ${rows})`;
    expect([name, await results.query(difference)]).toEqual([name, []]);
  }
}

/** Numbers of rows, by table. */
export async function countRows(results: Results): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of names) {
    const [row] = await results.query<{ count: number }>(`select count(*)::int as count from ${name}`);
    counts[name] = row?.count ?? 0;
  }
  return counts;
}

export const isPartitioned = async (results: Results): Promise<boolean> => {
  const rows = await results.query('select 1 from partitioning where switched_at is not null');
  return rows.length === 1;
};
