import { type CellSums, mean, ratio } from './cells.ts';
import { type DifferenceTest, jackknifeTest, pairedTest } from './paired-test.ts';

/** A cell in two windows. */
export type Pair = { a: CellSums; b: CellSums };

/** The figure of each window, and the test of their difference. */
type Estimate = { a: number | null; b: number | null; test: DifferenceTest | null };

/**
 * A prompt's difference is the mean of the differences of its cells. The difference is the mean over prompts, because
 * prompts are independent and the answers to one prompt are not.
 * Miller, E. (2024), "Adding error bars to evals", arXiv 2411.00640, sections 2.2 (clusters) and 4 (paired differences).
 */
export function compareMeans(
  prompts: readonly (readonly Pair[])[],
  toMean: (cell: CellSums) => number | null,
  confidence: number,
): Estimate {
  const ofPrompts = (side: 'a' | 'b'): number[] =>
    prompts.map((pairs) => mean(pairs.map((pair) => toMean(pair[side]) ?? 0)) ?? 0);
  const [a, b] = [ofPrompts('a'), ofPrompts('b')];
  const differences = b.map((value, index) => value - (a[index] ?? 0));
  return { a: mean(a), b: mean(b), test: pairedTest(differences, confidence) };
}

type Mentions = { own: number; all: number };

/** The shares over all prompts. They are ratios of sums, so each prompt is omitted once to find how they vary. */
export function compareShares(prompts: readonly (readonly Pair[])[], confidence: number): Estimate {
  const sums = {
    a: prompts.map((pairs) => sumCells(pairs, 'a')),
    b: prompts.map((pairs) => sumCells(pairs, 'b')),
  };
  const totals = { a: addMentions(sums.a), b: addMentions(sums.b) };
  const toShare = (side: 'a' | 'b', { own, all } = { own: 0, all: 0 }): number | null =>
    ratio(100 * (totals[side].own - own), totals[side].all - all);
  const difference = (a: number | null, b: number | null): number | null =>
    a === null || b === null ? null : b - a;
  const [a, b] = [toShare('a'), toShare('b')];
  const omitted = prompts.map((_, index) =>
    difference(toShare('a', sums.a[index]), toShare('b', sums.b[index])),
  );
  return { a, b, test: jackknifeTest(difference(a, b), omitted, confidence) };
}

const sumCells = (pairs: readonly Pair[], side: 'a' | 'b'): Mentions =>
  addMentions(pairs.map((pair) => ({ own: pair[side].ownMentions, all: pair[side].allMentions })));

const addMentions = (mentions: readonly Mentions[]): Mentions =>
  mentions.reduce((sum, { own, all }) => ({ own: sum.own + own, all: sum.all + all }), { own: 0, all: 0 });
