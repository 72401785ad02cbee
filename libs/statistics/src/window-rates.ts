import { addByCell, cellMean, type CellSums, mean } from './cells.ts';
import { effectiveSampleSize } from './clusters.ts';
import { wilsonInterval } from './wilson-interval.ts';

/** Figures of a window, not rounded. Rates are percentages. Null where no cell has a value. */
export type WindowRates = {
  score: number | null;
  mentionRate: number | null;
  mentionRateLow: number | null;
  mentionRateHigh: number | null;
  averagePosition: number | null;
  sentiment: number | null;
  citationRate: number | null;
  unitsAnswered: number;
  unitsEffective: number;
  promptsMeasured: number;
};

/**
 * Pools the answered units of a window. Each figure is the mean of the means of the cells: a cell that was asked more
 * often does not weigh more. A cell without a value does not count.
 *
 * The bounds are Wilson's, around the pooled mention rate, with the effective sample size in which a prompt is a
 * cluster. They answer what other prompts of this kind would show: answers to one prompt resemble each other.
 * Korn and Graubard (1998), "Confidence intervals for proportions with small expected number of positive counts
 * estimated from survey data", Survey Methodology 24, 193-201, on the effective sample size in such an interval.
 */
export function windowRates(rows: readonly CellSums[]): WindowRates {
  const cells = [...addByCell(rows).values()];
  const pool = (metric: keyof typeof cellMean): number | null =>
    mean(cells.map(cellMean[metric]).filter((value) => value !== null));
  const clusters = Map.groupBy(cells, ({ promptId }) => promptId)
    .values()
    .map((ofPrompt) => ({ n: sum(ofPrompt, 'units'), successes: sum(ofPrompt, 'mentioned') }))
    .toArray();
  const mentionRate = pool('mention_rate');
  const unitsEffective = effectiveSampleSize(clusters);
  const interval = mentionRate === null ? null : wilsonInterval(mentionRate / 100, unitsEffective);
  return {
    score: pool('score'),
    mentionRate,
    mentionRateLow: interval && 100 * interval.low,
    mentionRateHigh: interval && 100 * interval.high,
    averagePosition: pool('position'),
    sentiment: pool('sentiment'),
    citationRate: pool('citation_rate'),
    unitsAnswered: sum(cells, 'units'),
    unitsEffective,
    promptsMeasured: clusters.length,
  };
}

const sum = (cells: readonly CellSums[], field: 'units' | 'mentioned'): number =>
  cells.reduce((total, cell) => total + cell[field], 0);
