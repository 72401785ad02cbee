import type { ResponseRecord, RunData } from './record.ts';
import type { Violations } from './violations.ts';

export type BulkReadFigures = { reads: number; pages: number; rows: number };

/**
 * Data does not change during the run. Every bulk read of a brand must return every imported row once, with any page
 * size.
 */
export function checkBulkReads(
  records: readonly ResponseRecord[],
  { unitsOfBrand }: Pick<RunData, 'unitsOfBrand'>,
  violations: Violations,
): BulkReadFigures {
  const pages = records.flatMap(({ page }) => (page === undefined ? [] : [page]));
  const reads = Map.groupBy(pages, ({ readId }) => readId);
  const rowsOf = new Map<string, { readId: string; rows: Set<string> }>();
  let complete = 0;
  for (const [readId, group] of reads) {
    const rows = group.flatMap((page) => page.rows);
    const once = new Set(rows);
    if (once.size < rows.length) {
      violations.add('no row is returned twice', `${readId}: ${rows.length - once.size} of ${rows.length}`);
    }
    if (group.at(-1)?.last !== true) continue;
    complete += 1;
    if (once.size !== unitsOfBrand) {
      violations.add(
        'a bulk read returns what was imported',
        `${readId}: ${once.size} of ${unitsOfBrand} rows`,
      );
    }
    const brand = readId.split(' ')[0] ?? '';
    const first = rowsOf.get(brand);
    if (first === undefined) rowsOf.set(brand, { readId, rows: once });
    else if (once.symmetricDifference(first.rows).size > 0) {
      violations.add(
        'every bulk read returns the same rows',
        `${readId}: ${once.size} rows; ${first.readId}: ${first.rows.size}`,
      );
    }
  }
  if (complete === 0)
    violations.add('at least one bulk read is complete', `${reads.size} bulk reads, none complete`);
  return {
    reads: complete,
    pages: pages.length,
    rows: pages.reduce((sum, { rows }) => sum + rows.length, 0),
  };
}
