import type { AnswerRecord, RunData } from './record.ts';
import type { Violations } from './violations.ts';

export type WalkFigures = { walks: number; pages: number; rows: number };

/**
 * Data stands still while walked: every walk of a brand sees every row once, whatever its page size, and as many as
 * were imported.
 */
export function checkWalks(
  records: readonly AnswerRecord[],
  { unitsOfBrand }: Pick<RunData, 'unitsOfBrand'>,
  violations: Violations,
): WalkFigures {
  const pages = records.flatMap(({ page }) => (page === undefined ? [] : [page]));
  const walks = Map.groupBy(pages, ({ walk }) => walk);
  const rowsOf = new Map<string, { walk: string; rows: Set<string> }>();
  let complete = 0;
  for (const [walk, its] of walks) {
    const rows = its.flatMap((page) => page.rows);
    const once = new Set(rows);
    if (once.size < rows.length) {
      violations.add('a walk gives no row twice', `${walk}: ${rows.length - once.size} of ${rows.length}`);
    }
    if (its.at(-1)?.last !== true) continue;
    complete += 1;
    if (once.size !== unitsOfBrand) {
      violations.add('a walk gives what was imported', `${walk}: ${once.size} of ${unitsOfBrand} rows`);
    }
    const brand = walk.split(' ')[0] ?? '';
    const first = rowsOf.get(brand);
    if (first === undefined) rowsOf.set(brand, { walk, rows: once });
    else if (once.symmetricDifference(first.rows).size > 0) {
      violations.add(
        'every walk gives the same rows',
        `${walk}: ${once.size} rows; ${first.walk}: ${first.rows.size}`,
      );
    }
  }
  if (complete === 0) violations.add('some walk comes to its end', `${walks.size} walks, none whole`);
  return {
    walks: complete,
    pages: pages.length,
    rows: pages.reduce((sum, { rows }) => sum + rows.length, 0),
  };
}
