import { setImmediate } from 'node:timers/promises';
import { ExperimentReason, maxArmDifference, minPrompts, type Verdict } from '@bv/contract';
import { stdtri } from 'cephes';
import type { ArmSeries, Periods, PromptChange } from './arm-series.ts';
import { type Arms, type ArmValues, compareArms, permutationTest } from './arms.ts';
import { cellKey, type ComparedCell, type ComparedWindow, mean } from './cells.ts';
import { roundingError } from './compare-cells.ts';
import { listReasons, type PairedWindow } from './comparison-reasons.ts';
import { type Difference, squares, tQuantile } from './paired-test.ts';
import { pooledVariance, power } from './precision.ts';
import { haveSetsChanged } from './value-sets.ts';

export type ExperimentInput = {
  series: ArmSeries;
  /** Windows of the series. */
  periods: { pre: Periods; post: Periods };
  /** What the answers of each window were made of. */
  windows: { pre: ComparedWindow; post: ComparedWindow };
  /** Whether the figure depends on which competitors are searched for. */
  dependsOnCompetitors: boolean;
  /** Null before the end: a reader could look until it suits. Else the periods of `pre` are days. */
  tests: {
    /** Of the drawn splits: an integer of 32 bits. */
    seed: number;
    washoutDays: number;
    postDays: number;
  } | null;
};

/** Figures of an arm, over the cells with a value in both windows. */
export type ArmFigures = {
  before: number | null;
  after: number | null;
  unitsBefore: number;
  unitsAfter: number;
  prompts: number;
};

/** Not rounded. Null where it cannot be computed. */
export type ExperimentEstimate = Arms<ArmFigures> & {
  effect: Difference | null;
  /** The effect of the later half of `pre` on the earlier one. */
  preTrend: Difference | null;
  reasons: ExperimentReason[];
  tests: {
    /** Two-sided, of no effect. */
    pValue: number | null;
    /** Share of the earlier start days that give an effect of at least this size; null with fewer than seven. */
    placeboPValue: number | null;
    verdict: Verdict;
  } | null;
};

const minPlacebos = 7;
const minPlaceboDays = 7;
const significance = 0.05;

/**
 * Difference in differences over prompts: what the treated prompts changed more than the control prompts.
 * Bertrand, Duflo, Mullainathan (2004), "How much should we trust differences-in-differences estimates?", Quarterly
 * Journal of Economics 119, 249-275: one difference for each unit, and placebo starts.
 */
export async function estimateExperiment(input: ExperimentInput): Promise<ExperimentEstimate> {
  const { series, periods, tests } = input;
  const changes = series.compare(periods.pre, periods.post);
  const values = toValues(changes);
  const effect = compareArms(values);
  const preTrend = measurePreTrend(series, periods.pre);
  const figures = { treated: toFigures(changes.treated), control: toFigures(changes.control) };
  const { reasons, isComparable } = findReasons(input, { figures, isTooFew: !hasEnough(values), preTrend });
  const estimate = { ...figures, effect, preTrend, reasons };
  if (tests === null) return { ...estimate, tests };
  // The verdict agrees with the p-value as it is shown.
  const pValue = effect && toShown(await permutationTest(values, tests.seed));
  const placeboPValue =
    effect && (await placeboTest(series, { ...tests, pre: periods.pre, size: Math.abs(effect.value) }));
  const verdict = isComparable ? toVerdict(effect, pValue) : 'not_comparable';
  return { ...estimate, tests: { pValue, placeboPValue, verdict } };
}

/** Four decimals. */
const toShown = (probability: number): number => Math.round(1e4 * probability) / 1e4;

function toValues({ treated, control }: Arms<PromptChange[]>): ArmValues {
  const differences = (arm: PromptChange[]): number[] => arm.map(({ before, after }) => after - before);
  return { treated: differences(treated), control: differences(control) };
}

const hasEnough = ({ treated, control }: ArmValues): boolean =>
  treated.length >= minPrompts && control.length >= minPrompts;

function toFigures(changes: readonly PromptChange[]): ArmFigures {
  const sum = (field: 'unitsBefore' | 'unitsAfter'): number =>
    changes.reduce((total, change) => total + change[field], 0);
  return {
    before: mean(changes.map(({ before }) => before)),
    after: mean(changes.map(({ after }) => after)),
    unitsBefore: sum('unitsBefore'),
    unitsAfter: sum('unitsAfter'),
    prompts: changes.length,
  };
}

function toVerdict(effect: Difference | null, pValue: number | null): Verdict {
  if (effect === null || pValue === null || pValue >= significance) return 'no_evidence';
  if (effect.low > roundingError) return 'up';
  return effect.high < -roundingError ? 'down' : 'no_evidence';
}

/** The middle period of an odd number belongs to neither half. */
function measurePreTrend(series: ArmSeries, { from, to }: Periods): Difference | null {
  const half = Math.floor((to - from + 1) / 2);
  const values = toValues(series.compare({ from, to: from + half - 1 }, { from: to - half + 1, to }));
  return hasEnough(values) ? compareArms(values) : null;
}

type Placebo = { pre: Periods; washoutDays: number; postDays: number; size: number };

/** Starts the experiment on each earlier day that leaves seven days before it, and seven after its washout, in `pre`. */
async function placeboTest(
  series: ArmSeries,
  { pre, washoutDays, postDays, size }: Placebo,
): Promise<number | null> {
  let [tried, extreme] = [0, 0];
  for (
    let start = pre.from + minPlaceboDays;
    start + washoutDays + minPlaceboDays - 1 <= pre.to;
    start += 1
  ) {
    // Other work of the process runs in between.
    await setImmediate();
    const from = start + washoutDays;
    const after = { from, to: Math.min(pre.to, from + postDays - 1) };
    const values = toValues(series.compare({ from: pre.from, to: start - 1 }, after));
    const effect = hasEnough(values) ? compareArms(values) : null;
    if (effect === null) continue;
    tried += 1;
    if (Math.abs(effect.value) >= size - roundingError) extreme += 1;
  }
  return tried < minPlacebos ? null : toShown(extreme / tried);
}

type Found = { figures: Arms<ArmFigures>; isTooFew: boolean; preTrend: Difference | null };

/** A change of a platform's model or surface reaches both arms alike, if both have pairs on the platform. */
function findReasons(
  { series, periods, windows, dependsOnCompetitors }: ExperimentInput,
  { figures, isTooFew, preTrend }: Found,
): { reasons: ExperimentReason[]; isComparable: boolean } {
  const keys = series.listPairedCells(periods.pre, periods.post);
  const isPaired = (cell: ComparedCell): boolean =>
    keys.treated.has(cellKey(cell)) || keys.control.has(cellKey(cell));
  const toPaired = (window: ComparedWindow, units: number): PairedWindow => ({
    ...window,
    cells: window.cells.filter((cell) => cell.units > 0 && isPaired(cell)),
    units,
    pairedShare: 1,
  });
  const { treated, control } = figures;
  const pre = toPaired(windows.pre, treated.unitsBefore + control.unitsBefore);
  const post = toPaired(windows.post, treated.unitsAfter + control.unitsAfter);
  const found = new Set<string>(listReasons(pre, post, { isTooFew, dependsOnCompetitors }).reasons);
  const isChangeOfOneArm = [...Map.groupBy(post.cells, ({ platform }) => platform)].some(
    ([platform, cells]) => {
      const before = pre.cells.filter((cell) => cell.platform === platform);
      const isInArm = (arm: ReadonlySet<string>): boolean => cells.some((cell) => arm.has(cellKey(cell)));
      return isInArm(keys.treated) !== isInArm(keys.control) && hasPlatformChanged(before, cells);
    },
  );
  if (preTrend !== null && (preTrend.low > roundingError || preTrend.high < -roundingError)) {
    found.add('pre_trend');
  }
  if (
    treated.before !== null &&
    control.before !== null &&
    Math.abs(treated.before - control.before) > maxArmDifference
  ) {
    found.add('arms_differ');
  }
  return {
    reasons: ExperimentReason.options.filter((reason) => found.has(reason)),
    isComparable:
      !found.has('too_few') && !found.has('method_changed') && !found.has('incomplete') && !isChangeOfOneArm,
  };
}

const hasPlatformChanged = (a: readonly ComparedCell[], b: readonly ComparedCell[]): boolean =>
  haveSetsChanged(a, b, { toGroup: () => '', toValues: ({ models }) => models }) ||
  haveSetsChanged(a, b, { toGroup: () => '', toValues: ({ surfaces }) => surfaces });

/**
 * The smallest effect that an experiment finds with a power of 0.8, by how the prompts of both arms changed between
 * neighbouring periods of its length. Null with fewer than two pairs of periods.
 */
export function smallestDetectableEffect(
  series: ArmSeries,
  { periods, prompts }: { periods: number; prompts: Arms<number> },
): number | null {
  const spreads = [];
  for (let period = 1; period < periods; period += 1) {
    const { treated, control } = toValues(
      series.compare({ from: period - 1, to: period - 1 }, { from: period, to: period }),
    );
    const values = [...treated, ...control];
    if (values.length >= 2) {
      spreads.push({ prompts: values.length, variance: squares(values) / (values.length - 1) });
    }
  }
  const variance = pooledVariance(spreads);
  const degrees = prompts.treated + prompts.control - 2;
  if (variance === null || degrees < 1) return null;
  const quantiles = tQuantile(degrees, 1 - significance) + stdtri(degrees, power);
  return quantiles * Math.sqrt(variance / prompts.treated + variance / prompts.control);
}
