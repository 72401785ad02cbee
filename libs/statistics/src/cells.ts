/** Sums over the answered units of a cell. Rows of the same cell, such as its days, are added. */
export type CellSums = {
  promptId: string;
  country: string;
  platform: string;
  /** Answered units. */
  units: number;
  mentioned: number;
  cited: number;
  /** Units of which it is not known whether they cite the brand. They are not among `cited`. */
  citationsUnknown: number;
  /** Sum of the unit scores, each 0 to 100. */
  unitScoreSum: number;
  positionSum: number;
  sentimentSum: number;
  sentimentCount: number;
  /** Mentions of the own brand, and of all tracked brands, in the units that have both. */
  ownMentions: number;
  allMentions: number;
};

/** Sums of a cell, with what its answers were made of. An answer of which something is unknown adds none. */
export type ComparedCell = CellSums & {
  models: readonly string[];
  surfaces: readonly string[];
  /** Each names a set of brands that answers were searched for. */
  searchedBrands: readonly string[];
};

export type ComparedWindow = {
  cells: readonly ComparedCell[];
  /** Method versions of all results of the window. */
  methodVersions: readonly string[];
  days: number;
  /** Units of the scans of the window. */
  scans: { total: number; failed: number };
  /** Platforms whose answers changed their shape in the window. */
  driftedPlatforms: ReadonlySet<string>;
};

/** Figures of a brand that two windows are compared by, as the API names them. */
export type Metric = CellMetric | 'share_of_voice';
type CellMetric = 'score' | 'mention_rate' | 'sentiment' | 'citation_rate';

/** Identifies a cell among the cells of one brand. */
export const cellKey = (cell: Pick<CellSums, 'promptId' | 'country' | 'platform'>): string =>
  `${cell.promptId} ${cell.country} ${cell.platform}`;

/** The cells with an answered unit, by their keys. */
export function addByCell(rows: readonly CellSums[]): Map<string, CellSums> {
  const cells = new Map<string, CellSums>();
  for (const row of rows) {
    if (row.units === 0) continue;
    const key = cellKey(row);
    const sums = cells.get(key);
    cells.set(key, sums === undefined ? row : add(sums, row));
  }
  return cells;
}

const add = (a: CellSums, b: CellSums): CellSums => ({
  promptId: a.promptId,
  country: a.country,
  platform: a.platform,
  units: a.units + b.units,
  mentioned: a.mentioned + b.mentioned,
  cited: a.cited + b.cited,
  citationsUnknown: a.citationsUnknown + b.citationsUnknown,
  unitScoreSum: a.unitScoreSum + b.unitScoreSum,
  positionSum: a.positionSum + b.positionSum,
  sentimentSum: a.sentimentSum + b.sentimentSum,
  sentimentCount: a.sentimentCount + b.sentimentCount,
  ownMentions: a.ownMentions + b.ownMentions,
  allMentions: a.allMentions + b.allMentions,
});

export const ratio = (sum: number, count: number): number | null => (count === 0 ? null : sum / count);

/** Means of one cell; null without a value. Rates are percentages, position is the mean position of the mentions. */
export const cellMean: Record<CellMetric | 'position', (cell: CellSums) => number | null> = {
  score: (cell) => ratio(cell.unitScoreSum, cell.units),
  mention_rate: (cell) => ratio(100 * cell.mentioned, cell.units),
  citation_rate: (cell) => ratio(100 * cell.cited, cell.units - cell.citationsUnknown),
  sentiment: (cell) => ratio(cell.sentimentSum, cell.sentimentCount),
  position: (cell) => ratio(cell.positionSum, cell.mentioned),
};

/** The arithmetic mean; null without values. */
export const mean = (values: readonly number[]): number | null =>
  ratio(
    values.reduce((sum, value) => sum + value, 0),
    values.length,
  );
