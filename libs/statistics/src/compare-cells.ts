import { addByCell, cellKey, cellMean, type CellSums, mean, type Metric } from './cells.ts';
import { haveModelsChanged, isSameSet } from './model-sets.ts';
import { type Difference, pairedTest } from './paired-test.ts';

/** Sums of a cell, and the models that answered it. A unit whose model is unknown adds none. */
export type ComparedCell = CellSums & { models: readonly string[] };

export type ComparedWindow = {
  cells: readonly ComparedCell[];
  /** Method versions of all results of the window. */
  methodVersions: readonly string[];
  /** Whether a scan of the window was partial. */
  isPartial: boolean;
};

export type Verdict = 'up' | 'down' | 'no_evidence' | 'not_comparable';

/** In the order in which they are listed. The first three make a comparison `not_comparable`. */
export type Reason = 'too_few' | 'model_changed' | 'method_changed' | 'partial_run' | 'prompt_set_changed';

/** Figures of one window over the paired cells: `value` is the mean over prompts, `units` counts answered units. */
type ComparedFigures = { value: number | null; units: number; prompts: number };

export type Comparison = {
  a: ComparedFigures;
  b: ComparedFigures;
  /** b minus a. Null below two paired prompts. */
  difference: Difference | null;
  /** Of no difference, two-sided. Null below two paired prompts. */
  pValue: number | null;
  verdict: Verdict;
  reasons: Reason[];
};

type Pair = { promptId: string; a: CellSums; b: CellSums; valueA: number; valueB: number };

const noTest = { difference: null, pValue: null };
const minPrompts = 5;
const minPairedShare = 0.8;

/** In points of 0 to 100. Equal means differ by less because of rounding, means that differ do so by more. */
export const roundingError = 1e-9;

/**
 * Compares two windows of the same prompts, by the cells that have a value in both. A prompt's difference is the mean
 * of the differences of its cells. The difference is the mean over prompts, because prompts are independent and the
 * answers to one prompt are not.
 * Miller, E. (2024), "Adding error bars to evals", arXiv 2411.00640, sections 2.2 (clusters) and 4 (paired differences).
 */
export function compareCells(a: ComparedWindow, b: ComparedWindow, metric: Metric): Comparison {
  const cellsA = addByCell(a.cells);
  const cellsB = addByCell(b.cells);
  const pairs = pairCells(cellsA, cellsB, metric);
  const none = { value: null, units: 0, prompts: 0 };
  if (pairs.size === 0) {
    const verdict = 'not_comparable';
    return { a: none, b: none, difference: null, pValue: null, verdict, reasons: ['too_few'] };
  }
  const prompts = Map.groupBy(pairs.values(), ({ promptId }) => promptId)
    .values()
    .map((ofPrompt) => ({
      a: mean(ofPrompt.map(({ valueA }) => valueA)) ?? 0,
      b: mean(ofPrompt.map(({ valueB }) => valueB)) ?? 0,
    }))
    .toArray();
  const figures = (side: 'a' | 'b'): ComparedFigures => ({
    value: mean(prompts.map((prompt) => prompt[side])),
    units: pairs.values().reduce((units, pair) => units + pair[side].units, 0),
    prompts: prompts.length,
  });
  const isTooFew = prompts.length < minPrompts;
  const isPaired = (cell: ComparedCell): boolean => cell.units > 0 && pairs.has(cellKey(cell));
  const isModelChanged = haveModelsChanged(a.cells.filter(isPaired), b.cells.filter(isPaired));
  const isMethodChanged = !isSameSet(new Set(a.methodVersions), new Set(b.methodVersions));
  const isPromptSetChanged = pairs.size / Math.max(cellsA.size, cellsB.size) < minPairedShare;
  const reasons: Record<Reason, boolean> = {
    too_few: isTooFew,
    model_changed: isModelChanged,
    method_changed: isMethodChanged,
    partial_run: a.isPartial || b.isPartial,
    prompt_set_changed: isPromptSetChanged,
  };
  const { difference, pValue } = pairedTest(prompts.map((prompt) => prompt.b - prompt.a)) ?? noTest;
  return {
    a: figures('a'),
    b: figures('b'),
    difference,
    pValue,
    verdict: isTooFew || isModelChanged || isMethodChanged ? 'not_comparable' : judge(difference),
    reasons: (Object.keys(reasons) as Reason[]).filter((reason) => reasons[reason]),
  };
}

function pairCells(
  cellsA: ReadonlyMap<string, CellSums>,
  cellsB: ReadonlyMap<string, CellSums>,
  metric: Metric,
): Map<string, Pair> {
  const pairs = new Map<string, Pair>();
  for (const [key, a] of cellsA) {
    const b = cellsB.get(key);
    if (b === undefined) continue;
    const valueA = cellMean[metric](a);
    const valueB = cellMean[metric](b);
    if (valueA !== null && valueB !== null) pairs.set(key, { promptId: a.promptId, a, b, valueA, valueB });
  }
  return pairs;
}

function judge(difference: Difference | null): Verdict {
  if (difference !== null && difference.low > roundingError) return 'up';
  if (difference !== null && difference.high < -roundingError) return 'down';
  return 'no_evidence';
}
