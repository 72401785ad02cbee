import type { Arms } from './arms.ts';
import { cellKey } from './cells.ts';

/** One day of a cell: the mean of the metric is `part / whole`. `day` counts from the first day, which is 0. */
export type CellDay = {
  promptId: string;
  country: string;
  platform: string;
  day: number;
  units: number;
  part: number;
  whole: number;
};

/** Days of a window, both included. */
export type Days = { from: number; to: number };

/** A prompt over its cells with a value in both windows. */
export type PromptChange = { before: number; after: number; unitsBefore: number; unitsAfter: number };

type ArmChanges = Arms<PromptChange[]>;

export type ArmSeries = {
  /** The prompts of each arm that have a cell with a value in both windows. */
  compare: (before: Days, after: Days) => ArmChanges;
  /** Keys of those cells, by arm. */
  listPairedCells: (before: Days, after: Days) => Arms<ReadonlySet<string>>;
};

/** Running sums of a cell, so that any window is read in one step. */
type CellSeries = {
  key: string;
  promptId: string;
  units: Float64Array;
  parts: Float64Array;
  wholes: Float64Array;
};

/** The cells of the prompts of two arms, over `days` days. */
export function createArmSeries(
  rows: readonly CellDay[],
  prompts: Arms<readonly string[]>,
  days: number,
): ArmSeries {
  const byPrompt = Map.groupBy(collectSeries(rows, days), ({ promptId }) => promptId);
  const ofArm = (ids: readonly string[]): CellSeries[][] => ids.map((id) => byPrompt.get(id) ?? []);
  const arms = { treated: ofArm(prompts.treated), control: ofArm(prompts.control) };
  return {
    compare: (before, after) => {
      const compare = (cells: CellSeries[][]): PromptChange[] =>
        cells.flatMap((ofPrompt) => changeOfPrompt(ofPrompt, before, after));
      return { treated: compare(arms.treated), control: compare(arms.control) };
    },
    listPairedCells: (before, after) => {
      const list = (cells: CellSeries[][]): Set<string> =>
        new Set(
          cells
            .flat()
            .filter((cell) => isPaired(cell, before, after))
            .map(({ key }) => key),
        );
      return { treated: list(arms.treated), control: list(arms.control) };
    },
  };
}

function collectSeries(rows: readonly CellDay[], days: number): CellSeries[] {
  const cells = new Map<string, CellSeries>();
  const zeros = (): Float64Array => new Float64Array(days + 1);
  for (const row of rows) {
    const key = cellKey(row);
    const cell = cells.get(key) ?? {
      key,
      promptId: row.promptId,
      units: zeros(),
      parts: zeros(),
      wholes: zeros(),
    };
    cells.set(key, cell);
    add(cell.units, row.day + 1, row.units);
    add(cell.parts, row.day + 1, row.part);
    add(cell.wholes, row.day + 1, row.whole);
  }
  for (const { units, parts, wholes } of cells.values()) {
    for (const sums of [units, parts, wholes]) {
      for (let day = 1; day <= days; day += 1) add(sums, day, sums[day - 1] ?? 0);
    }
  }
  return [...cells.values()];
}

const add = (sums: Float64Array, at: number, value: number): void => {
  sums[at] = (sums[at] ?? 0) + value;
};

const sumOf = (sums: Float64Array, { from, to }: Days): number => (sums[to + 1] ?? 0) - (sums[from] ?? 0);

const isPaired = ({ wholes }: CellSeries, before: Days, after: Days): boolean =>
  sumOf(wholes, before) > 0 && sumOf(wholes, after) > 0;

/** Nothing without a cell that has a value in both windows. */
function changeOfPrompt(cells: readonly CellSeries[], before: Days, after: Days): PromptChange[] {
  const change = { before: 0, after: 0, unitsBefore: 0, unitsAfter: 0 };
  let count = 0;
  for (const cell of cells) {
    if (!isPaired(cell, before, after)) continue;
    const { units, parts, wholes } = cell;
    count += 1;
    change.before += sumOf(parts, before) / sumOf(wholes, before);
    change.after += sumOf(parts, after) / sumOf(wholes, after);
    change.unitsBefore += sumOf(units, before);
    change.unitsAfter += sumOf(units, after);
  }
  if (count === 0) return [];
  return [{ ...change, before: change.before / count, after: change.after / count }];
}
