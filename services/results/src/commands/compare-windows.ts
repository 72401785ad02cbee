import type { DateWindow } from '@bv/contract';
import type { Queryable } from '@bv/postgres';
import {
  compareCells,
  type ComparedCell,
  type ComparedWindow,
  type Comparison,
  type Metric,
} from '@bv/statistics';
import { listCellsOfWindow, toWindowCell } from '../db/cell-days.ts';
import { hasPartialScan } from '../db/scans.ts';
import { listMethodVersions, listSeriesDays } from '../db/scores.ts';
import { hasVerifiedBrand } from '../db/tracked-brands.ts';
import { type DayMethod, listComparedVersions } from '../domain/method-versions.ts';
import { splitWindow } from '../domain/split-window.ts';

/** The answers of an own brand that are compared. `country` and `platform` are null for all. */
export type ComparedSeries = { brandId: string; country: string | null; platform: string | null };

/** What was measured in a window of one series. */
type MeasuredWindow = Omit<ComparedWindow, 'methodVersions'> & { methods: readonly DayMethod[] };

/** Compares two windows of a series; no figure is rounded. The caller reads in one snapshot. */
export async function compareWindows(
  db: Queryable,
  series: ComparedSeries,
  { a, b, metric }: { a: DateWindow; b: DateWindow; metric: Metric },
): Promise<Comparison> {
  const verifies = await hasVerifiedBrand(db, series.brandId, { from: a.from, to: b.to });
  return compareMeasured(await readMeasuredWindow(db, series, a), await readMeasuredWindow(db, series, b), {
    metric,
    verifies,
  });
}

/** `verifies`: whether the LLM judge decides mentions, or decided some. It decides the sentiment in any case. */
export type ComparedFigure = { metric: Metric; verifies: boolean };

export function compareMeasured(
  a: MeasuredWindow,
  b: MeasuredWindow,
  { metric, verifies }: ComparedFigure,
): Comparison {
  const options = { llmCounts: verifies || metric === 'sentiment' };
  return compareCells(
    { ...a, methodVersions: listComparedVersions(a.methods, b.methods, options) },
    { ...b, methodVersions: listComparedVersions(b.methods, a.methods, options) },
    metric,
  );
}

async function readMeasuredWindow(
  db: Queryable,
  series: ComparedSeries,
  window: DateWindow,
): Promise<MeasuredWindow> {
  const { brandId, country } = series;
  return {
    cells: await listComparedCells(db, series, window),
    methods: await listMethodVersions(db, { brandId, country: country ?? '' }, window),
    isPartial: await hasPartialScan(db, brandId, window),
  };
}

async function listComparedCells(
  db: Queryable,
  series: ComparedSeries,
  window: DateWindow,
): Promise<ComparedCell[]> {
  const cells = await listCellsOfWindow(db, series, window);
  return cells.map(toWindowCell).map((cell) => ({ ...cell, models: cell.model === '' ? [] : [cell.model] }));
}

/** A window of all series of a brand, read once to compare several of them. */
export type BrandWindow = DateWindow & {
  cells: ComparedCell[];
  cellsByCountry: ReadonlyMap<string, ComparedCell[]>;
  /** By market; '' for the all-market series. */
  methods: ReadonlyMap<string, readonly DayMethod[]>;
  isPartial: boolean;
};

export async function readBrandWindow(
  db: Queryable,
  brandId: string,
  window: DateWindow,
): Promise<BrandWindow> {
  const days = await listSeriesDays(db, brandId, window);
  const parts: ComparedCell[][] = [];
  for (const part of splitWindow(window, days)) {
    parts.push(await listComparedCells(db, { brandId, country: null, platform: null }, part));
  }
  const cells = parts.flat();
  return {
    ...window,
    cells,
    cellsByCountry: Map.groupBy(cells, ({ country }) => country),
    methods: Map.groupBy(days, ({ country }) => country),
    isPartial: await hasPartialScan(db, brandId, window),
  };
}

/** One series of a window. `country` is '' for all markets. */
export const toMeasuredWindow = (window: BrandWindow, country: string): MeasuredWindow => ({
  cells: country === '' ? window.cells : (window.cellsByCountry.get(country) ?? []),
  methods: window.methods.get(country) ?? [],
  isPartial: window.isPartial,
});
