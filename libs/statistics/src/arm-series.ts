import type { Arms } from './arms.ts';
import { cellKey } from './cells.ts';

/** A period of a cell: the mean of the metric is `part / whole`. `period` counts from the first one, which is 0. */
export type CellPeriod = {
  promptId: string;
  country: string;
  platform: string;
  period: number;
  units: number;
  part: number;
  whole: number;
};

/** Periods of a window, both included. */
export type Periods = { from: number; to: number };

/** A prompt over its cells with a value in both windows. */
export type PromptChange = { before: number; after: number; unitsBefore: number; unitsAfter: number };

type ArmChanges = Arms<PromptChange[]>;

export type ArmSeries = {
  /** The prompts of each arm that have a cell with a value in both windows. */
  compare: (before: Periods, after: Periods) => ArmChanges;
  /** Keys of those cells, by arm. */
  listPairedCells: (before: Periods, after: Periods) => Arms<ReadonlySet<string>>;
};

/** Running sums of a cell, so that any window is read in one step. */
type CellSeries = {
  key: string;
  promptId: string;
  units: Uint32Array;
  parts: Float64Array;
  wholes: Uint32Array;
};

/** The cells of the prompts of two arms, over so many periods. Keeps no row of the batches. */
export async function createArmSeries(
  batches: Iterable<readonly CellPeriod[]> | AsyncIterable<readonly CellPeriod[]>,
  prompts: Arms<readonly string[]>,
  periods: number,
): Promise<ArmSeries> {
  const byPrompt = Map.groupBy(await collectSeries(batches, periods), ({ promptId }) => promptId);
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

async function collectSeries(
  batches: Parameters<typeof createArmSeries>[0],
  periods: number,
): Promise<CellSeries[]> {
  const cells = new Map<string, CellSeries>();
  for await (const rows of batches) {
    for (const row of rows) {
      const key = cellKey(row);
      const cell = cells.get(key) ?? createSeries(key, row.promptId, periods);
      cells.set(key, cell);
      add(cell.units, row.period + 1, row.units);
      add(cell.parts, row.period + 1, row.part);
      add(cell.wholes, row.period + 1, row.whole);
    }
  }
  for (const { units, parts, wholes } of cells.values()) {
    for (const sums of [units, parts, wholes]) {
      for (let period = 1; period <= periods; period += 1) add(sums, period, sums[period - 1] ?? 0);
    }
  }
  return [...cells.values()];
}

const createSeries = (key: string, promptId: string, periods: number): CellSeries => ({
  key,
  promptId,
  units: new Uint32Array(periods + 1),
  parts: new Float64Array(periods + 1),
  wholes: new Uint32Array(periods + 1),
});

type Sums = Float64Array | Uint32Array;

const add = (sums: Sums, at: number, value: number): void => {
  sums[at] = (sums[at] ?? 0) + value;
};

const sumOf = (sums: Sums, { from, to }: Periods): number => (sums[to + 1] ?? 0) - (sums[from] ?? 0);

const isPaired = ({ wholes }: CellSeries, before: Periods, after: Periods): boolean =>
  sumOf(wholes, before) > 0 && sumOf(wholes, after) > 0;

/** Nothing without a cell that has a value in both windows. */
function changeOfPrompt(cells: readonly CellSeries[], before: Periods, after: Periods): PromptChange[] {
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
