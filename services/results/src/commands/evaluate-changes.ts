import { setImmediate } from 'node:timers/promises';
import { ChangeConfidence, ChangeMetric, type Verdict } from '@bv/contract';
import type { EventData, scanScored } from '@bv/events';
import type { Queryable } from '@bv/postgres';
import { type Comparison, isChangeAt } from '@bv/statistics';
import { insertEvaluatedDay, updateEvaluatedDay } from '../db/evaluated-days.ts';
import { listVerifiedBrands } from '../db/tracked-brands.ts';
import type { WindowDays } from '../db/window-scores.ts';
import { addDays } from '../domain/calendar.ts';
import { toScoreComparison } from '../domain/score-comparison.ts';
import { type BrandWindow, compareMeasured, readBrandWindow, toMeasuredWindow } from './compare-windows.ts';

type FoundChange = NonNullable<EventData<typeof scanScored>['comparisons']>[number];
/** Ascending. */
const levels = [...ChangeConfidence.values];
/** Of a verdict. */
const leastConfidence = 0.95;

type BrandWindows = { a: BrandWindow; b: BrandWindow; windowDays: WindowDays; verifies: boolean };
type BrandDay = { brandId: string; runDate: string };

/** `country` is '' in the all-market series. */
export type EvaluatedChanges = {
  verdicts: ReadonlyMap<string, Verdict>;
  /** Undefined if a scan of the day was evaluated before. */
  comparisons?: FoundChange[];
};

/** More than two windows and four metrics of every market have. Keeps the event below the maximum message size. */
const maxComparisons = 300;

/**
 * Compares the days up to the scan's with as many days before: the score of 7 days of each series, and at the first scan
 * of a day each metric and window of the series that the scan measured. The caller holds the lock of the brand's token
 * row, and the day is scored.
 */
export async function evaluateChanges(
  db: Queryable,
  scan: { brand_id: string; run_date: string; countries: readonly string[] },
  countries: readonly string[],
): Promise<EvaluatedChanges> {
  const day = { brandId: scan.brand_id, runDate: scan.run_date };
  const short = await readWindows(db, day, 7);
  const verdicts = new Map<string, Verdict>();
  for (const country of countries) {
    verdicts.set(country, (await compareSeries(short, country, 'score')).verdict);
  }
  const evaluated = { ...day, verdict: verdicts.get('') ?? ('not_comparable' as const) };
  if (!(await insertEvaluatedDay(db, evaluated))) {
    await updateEvaluatedDay(db, evaluated);
    return { verdicts };
  }
  const long = await readWindows(db, day, 28);
  const comparisons: FoundChange[] = [];
  for (const country of countries) {
    if (country !== '' && !scan.countries.includes(country)) continue;
    for (const windows of [short, long]) comparisons.push(...(await listFoundChanges(windows, country)));
  }
  return { verdicts, comparisons: comparisons.slice(0, maxComparisons) };
}

/** Reads the days up to `runDate` as window b, and as many days before as window a. */
async function readWindows(
  db: Queryable,
  { brandId, runDate }: BrandDay,
  windowDays: WindowDays,
): Promise<BrandWindows> {
  const read = (to: string): Promise<BrandWindow> =>
    readBrandWindow(db, brandId, { from: addDays(to, 1 - windowDays), to });
  const [a, b] = [await read(addDays(runDate, -windowDays)), await read(runDate)];
  const verified = await listVerifiedBrands(db, [brandId], [a, b]);
  return { a, b, windowDays, verifies: verified.has(brandId) };
}

/** Other work of the process runs before each comparison: one of 40,000 cells takes 0.2 s. */
async function compareSeries(
  { a, b, verifies }: BrandWindows,
  country: string,
  metric: FoundChange['metric'],
): Promise<Comparison> {
  await setImmediate();
  return compareMeasured(toMeasuredWindow(a, country), toMeasuredWindow(b, country), {
    metric,
    confidence: leastConfidence,
    verifies,
  });
}

/** The comparisons of a series that find a change. */
async function listFoundChanges(windows: BrandWindows, country: string): Promise<FoundChange[]> {
  const found: FoundChange[] = [];
  for (const metric of ChangeMetric.options) {
    const series = { metric, country: country === '' ? null : country, platform: null };
    const compared = await compareSeries(windows, country, metric);
    const comparison = toScoreComparison(series, windows, compared);
    const { verdict, difference } = comparison;
    if (difference === null || (verdict !== 'up' && verdict !== 'down')) continue;
    found.push({
      ...comparison,
      metric,
      verdict,
      difference,
      window_days: windows.windowDays,
      highest_confidence: levels.findLast((level) => isChangeAt(compared, level)) ?? leastConfidence,
    });
  }
  return found;
}
