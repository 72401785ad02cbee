import type { CellSums } from '@bv/statistics';

/** Sums of a cell by model. `unitsTotal` includes units without an answer; `model` is '' where it is unknown. */
export type WindowCell = CellSums & {
  model: string;
  unitsTotal: number;
  mentionedCited: number;
  read: number;
  informative: number;
};

/** Cells of a window that moves over the days. */
export type WindowCells = {
  /** Adds the sums of days that enter minus those of days that leave. */
  add(changes: readonly WindowCell[]): void;
  /** Cells with a unit. */
  list(): WindowCell[];
};

export function createWindowCells(): WindowCells {
  const cells = new Map<string, WindowCell>();
  return {
    add: (changes) => {
      for (const change of changes) {
        const key = toKey(change);
        const cell = cells.get(key);
        const sums = cell === undefined ? change : sum(cell, change);
        // Without a unit, the other sums are 0 but for rounding errors.
        if (sums.unitsTotal === 0) cells.delete(key);
        else cells.set(key, sums);
      }
    },
    list: () =>
      Array.from(cells.values(), (cell) => ({
        ...cell,
        unitScoreSum: withoutRoundingError(cell.unitScoreSum),
      })),
  };
}

/** A market has no control characters, so that the key is unique whatever the name of the model. */
const toKey = ({ promptId, platform, country, model }: WindowCell): string =>
  `${promptId} ${platform} ${country}\n${model}`;

const sum = (cell: WindowCell, change: WindowCell): WindowCell => ({
  promptId: cell.promptId,
  country: cell.country,
  platform: cell.platform,
  model: cell.model,
  unitsTotal: cell.unitsTotal + change.unitsTotal,
  units: cell.units + change.units,
  mentioned: cell.mentioned + change.mentioned,
  cited: cell.cited + change.cited,
  citationsUnknown: cell.citationsUnknown + change.citationsUnknown,
  mentionedCited: cell.mentionedCited + change.mentionedCited,
  read: cell.read + change.read,
  informative: cell.informative + change.informative,
  unitScoreSum: cell.unitScoreSum + change.unitScoreSum,
  positionSum: cell.positionSum + change.positionSum,
  sentimentSum: hundredths(cell.sentimentSum + change.sentimentSum),
  sentimentCount: cell.sentimentCount + change.sentimentCount,
  ownMentions: cell.ownMentions + change.ownMentions,
  allMentions: cell.allMentions + change.allMentions,
});

/** Stored sentiments have two decimals. */
const hundredths = (value: number): number => Math.round(value * 100) / 100;

/** Removes what days that entered and left have changed by rounding, so that the result does not depend on them. */
const withoutRoundingError = (value: number): number => Math.round(value * 1e9) / 1e9;
