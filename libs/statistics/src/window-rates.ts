import { addByCell, cellMean, type CellSums, mean } from './cells.ts';
import { effectiveSampleSize } from './clusters.ts';
import { positionBounds, rateBounds, shareBounds, toClusters } from './slice-bounds.ts';
import type { Interval } from './wilson-interval.ts';

/** Figures of a window, not rounded. Rates are percentages. Null where no cell has a value. */
export type WindowRates = {
  score: number | null;
  mentionRate: number | null;
  averagePosition: number | null;
  sentiment: number | null;
  citationRate: number | null;
  unitsAnswered: number;
  unitsEffective: number;
  promptsMeasured: number;
  bounds: Record<'mentionRate' | 'citationRate' | 'averagePosition' | 'shareOfVoice', Interval | null>;
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
  const prompts = [...Map.groupBy(cells, ({ promptId }) => promptId).values()];
  const ofPrompts = (toNumber: (cell: CellSums) => number): number[] =>
    prompts.map((ofPrompt) => ofPrompt.reduce((sum, cell) => sum + toNumber(cell), 0));
  const units = ofPrompts((cell) => cell.units);
  const mentioned = ofPrompts((cell) => cell.mentioned);
  const mentionRate = pool('mention_rate');
  const citationRate = pool('citation_rate');
  return {
    score: pool('score'),
    mentionRate,
    averagePosition: pool('position'),
    sentiment: pool('sentiment'),
    citationRate,
    unitsAnswered: units.reduce((sum, n) => sum + n, 0),
    unitsEffective: effectiveSampleSize(toClusters(units, mentioned)),
    promptsMeasured: prompts.length,
    bounds: {
      mentionRate: rateBounds(mentionRate, units, mentioned),
      citationRate: rateBounds(
        citationRate,
        ofPrompts((cell) => cell.units - cell.citationsUnknown),
        ofPrompts((cell) => cell.cited),
      ),
      averagePosition: positionBounds(
        ofPrompts((cell) => cellMean.position(cell) ?? 0),
        ofPrompts((cell) => (cell.mentioned > 0 ? 1 : 0)),
      ),
      shareOfVoice: shareBounds(
        ofPrompts((cell) => cell.ownMentions),
        ofPrompts((cell) => cell.allMentions),
      ),
    },
  };
}
