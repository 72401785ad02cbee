import type { DateWindow } from '@bv/contract';
import type { Queryable } from '@bv/postgres';
import {
  compareCells,
  type ComparedBy,
  type ComparedCell,
  type ComparedWindow,
  type Comparison,
  type Metric,
} from '@bv/statistics';
import { listCellsOfWindow } from '../db/cell-days.ts';
import { type ComparedSeries, listMetricCells } from '../db/metric-cells.ts';
import { listScannedUnits, type ScannedUnits } from '../db/scans.ts';
import { listDriftedDays } from '../db/platform-days.ts';
import { listMethodVersions, listSeriesDays } from '../db/scores.ts';
import { listVerifiedBrands } from '../db/tracked-brands.ts';
import { countDays } from '../domain/calendar.ts';
import { type DayMethod, listComparedVersions } from '../domain/method-versions.ts';
import { splitWindow } from '../domain/split-window.ts';

/** What was measured in a window of one series. */
type MeasuredWindow = Omit<ComparedWindow, 'methodVersions'> & { methods: readonly DayMethod[] };

/** Reads two windows of brands. The function it returns compares those of one of them; no figure is rounded. */
export async function readComparisons(
  db: Queryable,
  series: ComparedSeries,
  { a, b, ...by }: { a: DateWindow; b: DateWindow } & ComparedBy,
): Promise<(brandId: string) => Comparison> {
  const verified = await listVerifiedBrands(db, series.brandIds, [a, b]);
  const measured = { ...series, metric: by.metric };
  const windows = {
    a: await readMeasuredWindows(db, measured, a),
    b: await readMeasuredWindows(db, measured, b),
  };
  return (brandId) =>
    compareMeasured(windows.a(brandId), windows.b(brandId), { ...by, verifies: verified.has(brandId) });
}

/** `verifies`: whether the LLM judge decides mentions, or decided some. It decides the sentiment in any case. */
export type ComparedFigure = ComparedBy & { verifies: boolean };

export function compareMeasured(
  a: MeasuredWindow,
  b: MeasuredWindow,
  { verifies, ...by }: ComparedFigure,
): Comparison {
  const options = { llmCounts: verifies || by.metric === 'sentiment' };
  return compareCells(withVersions(a, b, options), withVersions(b, a, options), by);
}

/** A window with the method versions by which it is compared with another one. */
export const withVersions = (
  own: MeasuredWindow,
  other: MeasuredWindow,
  options: { llmCounts: boolean },
): ComparedWindow => ({ ...own, methodVersions: listComparedVersions(own.methods, other.methods, options) });

/** Reads a window of brands. The function it returns gives that of one of them. */
export async function readMeasuredWindows(
  db: Queryable,
  series: ComparedSeries & { metric: Metric },
  window: DateWindow,
): Promise<(brandId: string) => MeasuredWindow> {
  const { brandIds, countries } = series;
  const toBrand = (row: { brand_id: string }): string => row.brand_id;
  const cells = await listMetricCells(db, series, window);
  const versions = await listMethodVersions(db, { brandIds, countries }, window);
  const methods = Map.groupBy(versions, toBrand);
  const scans = Map.groupBy(await listScannedUnits(db, brandIds, window), toBrand);
  const driftedPlatforms = await findDriftedPlatforms(db, window);
  return (brandId) => ({
    cells: cells.get(brandId) ?? [],
    methods: methods.get(brandId) ?? [],
    days: countDays(window),
    scans: sumScans(scans.get(brandId) ?? [], series),
    driftedPlatforms,
  });
}

async function findDriftedPlatforms(db: Queryable, window: DateWindow): Promise<ReadonlySet<string>> {
  return new Set((await listDriftedDays(db, window)).map(({ platform }) => platform));
}

/** Scans whose units by market and platform are not known count where all are compared. */
export function sumScans(
  units: readonly ScannedUnits[],
  { countries, platforms }: Pick<ComparedSeries, 'countries' | 'platforms'>,
): ComparedWindow['scans'] {
  const counted = units.filter(
    ({ country, platform }) =>
      (countries === null || countries.includes(country)) &&
      (platforms === null || platforms.includes(platform)),
  );
  const sum = (field: 'total' | 'failed'): number => counted.reduce((total, each) => total + each[field], 0);
  return { total: sum('total'), failed: sum('failed') };
}

/** A window of all series of a brand, read once to compare several of them. */
export type BrandWindow = DateWindow & {
  cells: ComparedCell[];
  cellsByCountry: ReadonlyMap<string, ComparedCell[]>;
  /** By market; '' for the all-market series. */
  methods: ReadonlyMap<string, readonly DayMethod[]>;
  scannedUnits: readonly ScannedUnits[];
  driftedPlatforms: ReadonlySet<string>;
};

export async function readBrandWindow(
  db: Queryable,
  brandId: string,
  window: DateWindow,
): Promise<BrandWindow> {
  const days = await listSeriesDays(db, brandId, window);
  const parts: ComparedCell[][] = [];
  for (const part of splitWindow(window, days)) {
    parts.push(await listCellsOfWindow(db, brandId, part));
  }
  const cells = parts.flat();
  return {
    ...window,
    cells,
    cellsByCountry: Map.groupBy(cells, ({ country }) => country),
    methods: Map.groupBy(days, ({ country }) => country),
    scannedUnits: await listScannedUnits(db, [brandId], window),
    driftedPlatforms: await findDriftedPlatforms(db, window),
  };
}

/** One series of a window. `country` is '' for all markets. */
export const toMeasuredWindow = (window: BrandWindow, country: string): MeasuredWindow => ({
  cells: country === '' ? window.cells : (window.cellsByCountry.get(country) ?? []),
  methods: window.methods.get(country) ?? [],
  days: countDays(window),
  scans: sumScans(window.scannedUnits, { countries: country === '' ? null : [country], platforms: null }),
  driftedPlatforms: window.driftedPlatforms,
});
