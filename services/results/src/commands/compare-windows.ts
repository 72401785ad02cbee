import type { DateWindow } from '@bv/contract';
import type { Queryable } from '@bv/postgres';
import { compareCells, type ComparedWindow, type Comparison, type Metric } from '@bv/statistics';
import { listCellsOfUnits, listCellsOfWindow, toWindowCell } from '../db/cell-days.ts';
import { hasPartialScan } from '../db/scans.ts';
import { listMethodVersions } from '../db/scores.ts';
import { listUnwindowedDays } from '../db/unwindowed-days.ts';

/** The answers of an own brand that are compared. `country` and `platform` are null for all. */
export type ComparedSeries = { brandId: string; country: string | null; platform: string | null };

/** Compares two windows of a series; no figure is rounded. The caller reads in one snapshot. */
export async function compareWindows(
  db: Queryable,
  series: ComparedSeries,
  { a, b, metric }: { a: DateWindow; b: DateWindow; metric: Metric },
): Promise<Comparison> {
  return compareCells(
    await readComparedWindow(db, series, a),
    await readComparedWindow(db, series, b),
    metric,
  );
}

async function readComparedWindow(
  db: Queryable,
  series: ComparedSeries,
  window: DateWindow,
): Promise<ComparedWindow> {
  const { brandId, country } = series;
  const unwindowedDays = await listUnwindowedDays(db, brandId, window);
  const cells = await listCellsOfWindow(db, series, { ...window, unwindowedDays });
  if (unwindowedDays.length > 0) cells.push(...(await listCellsOfUnits(db, series, unwindowedDays)));
  return {
    cells: cells
      .map(toWindowCell)
      .map((cell) => ({ ...cell, models: cell.model === '' ? [] : [cell.model] })),
    methodVersions: await listMethodVersions(db, { brandId, country: country ?? '' }, window),
    isPartial: await hasPartialScan(db, brandId, window),
  };
}
