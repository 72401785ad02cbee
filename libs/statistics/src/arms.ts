import { setImmediate } from 'node:timers/promises';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { mean } from './cells.ts';
import { roundingError } from './compare-cells.ts';
import { type Difference, squares, tQuantile } from './paired-test.ts';

/** What an experiment has of the prompts that were changed, and of those that were not. */
export type Arms<T> = { treated: T; control: T };
/** One value for each prompt. */
export type ArmValues = Arms<readonly number[]>;

const confidence = 0.95;
const maxSplits = 20_000;
const drawnSplits = 10_000;
/** Other work of the process runs in between. */
const drawsAtOnce = 1_000;

/**
 * Mean of the treated minus mean of the control prompts, with the interval of Welch's t. Null with fewer than two prompts
 * in an arm. Equal values in both arms give an interval of width 0.
 * Welch (1947), "The generalization of Student's problem", Biometrika 34, 28-35.
 */
export function compareArms({ treated, control }: ArmValues): Difference | null {
  const [a, b] = [mean(treated), mean(control)];
  if (a === null || b === null || treated.length < 2 || control.length < 2) return null;
  const [varianceA, varianceB] = [treated, control].map((values) => ({
    ofMean: squares(values) / (values.length - 1) / values.length,
    degrees: values.length - 1,
  })) as [Variance, Variance];
  const variance = varianceA.ofMean + varianceB.ofMean;
  const margin =
    variance === 0
      ? 0
      : tQuantile(variance ** 2 / (perDegree(varianceA) + perDegree(varianceB)), confidence) *
        Math.sqrt(variance);
  return { value: a - b, low: a - b - margin, high: a - b + margin, confidence };
}

type Variance = { ofMean: number; degrees: number };
const perDegree = ({ ofMean, degrees }: Variance): number => ofMean ** 2 / degrees;

/**
 * Two-sided p-value of no difference: the share of the splits of the prompts into arms of these sizes whose means differ
 * by at least as much as those of the arms. All splits up to 20,000, else 10,000 that `seed` draws, counted with the
 * present one: Phipson and Smyth (2010), "Permutation p-values should never be zero", SAGMB 9, 39.
 */
export async function permutationTest({ treated, control }: ArmValues, seed: number): Promise<number> {
  const values = [...treated, ...control];
  const total = values.reduce((sum, value) => sum + value, 0);
  const size = treated.length;
  const toDifference = (sum: number): number => Math.abs(sum / size - (total - sum) / control.length);
  const present = toDifference(treated.reduce((sum, value) => sum + value, 0)) - roundingError;
  let extreme = 0;
  const count = (sum: number): void => {
    if (toDifference(sum) >= present) extreme += 1;
  };
  const splits = countSplits(values.length, size);
  if (splits <= maxSplits) {
    forEachSplit(values, size, count);
    return extreme / splits;
  }
  await drawSplits(values, { size, seed }, count);
  return (extreme + 1) / (drawnSplits + 1);
}

/** The binomial coefficient. Exact where it is at most `maxSplits`. */
function countSplits(prompts: number, size: number): number {
  let splits = 1;
  for (let index = 1; index <= size; index += 1) splits = (splits * (prompts - size + index)) / index;
  return Math.round(splits);
}

/** Calls `visit` with the sum of each choice of `size` values. */
function forEachSplit(values: readonly number[], size: number, visit: (sum: number) => void): void {
  const choose = (from: number, missing: number, sum: number): void => {
    if (missing === 0) return visit(sum);
    for (let index = from; index <= values.length - missing; index += 1) {
      choose(index + 1, missing - 1, sum + (values[index] ?? 0));
    }
  };
  choose(0, size, 0);
}

/** Fisher and Yates (1938): the first `size` of the shuffled values are a random choice. */
async function drawSplits(
  given: readonly number[],
  { size, seed }: { size: number; seed: number },
  visit: (sum: number) => void,
): Promise<void> {
  const values = Float64Array.from(given);
  const random = xoroshiro128plus(seed);
  for (let draw = 0; draw < drawnSplits; draw += 1) {
    if (draw % drawsAtOnce === 0) await setImmediate();
    let sum = 0;
    for (let index = 0; index < size; index += 1) {
      const chosen = uniformInt(random, index, values.length - 1);
      const value = values[chosen] ?? 0;
      values[chosen] = values[index] ?? 0;
      values[index] = value;
      sum += value;
    }
    visit(sum);
  }
}
