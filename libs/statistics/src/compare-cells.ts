import { type ComparisonReason, minPrompts, type Verdict } from '@bv/contract';
import { addByCell, cellKey, cellMean, type CellSums, type ComparedWindow, type Metric } from './cells.ts';
import { listReasons, type PairedWindow } from './comparison-reasons.ts';
import { compareMeans, compareShares, type Pair } from './estimate-difference.ts';
import type { Difference } from './paired-test.ts';

/** Figures of one window: `units` counts the answered units of the paired cells, `unitsFailed` the failed ones of all. */
type ComparedFigures = { value: number | null; units: number; unitsFailed: number; prompts: number };

export type Comparison = {
  a: ComparedFigures;
  b: ComparedFigures;
  /** b minus a. Null below two paired prompts, for the share of voice below five. */
  difference: Difference | null;
  /** Of no difference, two-sided. Null without a difference. */
  pValue: number | null;
  verdict: Verdict;
  reasons: ComparisonReason[];
};

/** `confidence` is that of the interval and of the verdict. */
export type ComparedBy = { metric: Metric; confidence: number };

/** In points of 0 to 100. Equal means differ by less because of rounding, means that differ do so by more. */
export const roundingError = 1e-9;

/** Compares two windows of the same prompts, by the cells that have a value in both. */
export function compareCells(
  a: ComparedWindow,
  b: ComparedWindow,
  { metric, confidence }: ComparedBy,
): Comparison {
  const windows = { a, b };
  const cells = { a: addByCell(a.cells), b: addByCell(b.cells) };
  const pairs = pairCells(cells.a, cells.b, metric);
  const prompts = [...Map.groupBy(pairs.values(), (pair) => pair.a.promptId).values()];
  const { test, ...values } =
    metric === 'share_of_voice'
      ? compareShares(prompts, confidence)
      : compareMeans(prompts, cellMean[metric], confidence);
  const figures = (side: 'a' | 'b'): ComparedFigures => ({
    value: values[side],
    units: pairs.values().reduce((units, pair) => units + pair[side].units, 0),
    unitsFailed: windows[side].scans.failed,
    prompts: prompts.length,
  });
  const figuresOf = { a: figures('a'), b: figures('b') };
  const { difference, pValue } = test ?? { difference: null, pValue: null };
  if (pairs.size === 0) {
    return { ...figuresOf, difference, pValue, verdict: 'not_comparable', reasons: ['too_few'] };
  }
  const toPaired = (side: 'a' | 'b'): PairedWindow => ({
    ...windows[side],
    cells: windows[side].cells.filter((cell) => cell.units > 0 && pairs.has(cellKey(cell))),
    units: figuresOf[side].units,
    pairedShare: pairs.size / cells[side].size,
  });
  const { reasons, isComparable } = listReasons(toPaired('a'), toPaired('b'), {
    isTooFew: prompts.length < minPrompts || test === null,
    dependsOnCompetitors: metric === 'score' || metric === 'share_of_voice',
  });
  const verdict = isComparable ? toVerdict(difference) : 'not_comparable';
  return { ...figuresOf, difference, pValue, verdict, reasons };
}

function pairCells(
  cellsA: ReadonlyMap<string, CellSums>,
  cellsB: ReadonlyMap<string, CellSums>,
  metric: Metric,
): Map<string, Pair> {
  // Every answer counts for a share, and has a mention rate.
  const toValue = cellMean[metric === 'share_of_voice' ? 'mention_rate' : metric];
  const pairs = new Map<string, Pair>();
  for (const [key, a] of cellsA) {
    const b = cellsB.get(key);
    if (b !== undefined && toValue(a) !== null && toValue(b) !== null) pairs.set(key, { a, b });
  }
  return pairs;
}

function toVerdict(difference: Difference | null): Verdict {
  if (difference !== null && difference.low > roundingError) return 'up';
  if (difference !== null && difference.high < -roundingError) return 'down';
  return 'no_evidence';
}
