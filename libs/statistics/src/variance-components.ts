/** Answers to one prompt in one stratum: their number, and the sums of their values and squared values. */
export type ObservedCell = { prompt: string; stratum: string; n: number; sum: number; squares: number };

/** Variances in squared points. `repeat` is that of answers to the same prompt in the same stratum. */
export type Components = { prompt: number; stratum: number; promptByStratum: number; repeat: number };

/**
 * The sums of a design, or of a part of its prompts. `sum` adds deviations from the mean of all; `within` adds squared
 * deviations of answers within cells. Between groups they are (sum of deviations)^2 / n, and squared groups are n^2;
 * `nestedInPrompts` adds (n^2 of its cells) / n over prompts.
 */
type Scalars = Record<(typeof scalars)[number], number>;
type Sums = Scalars & { strata: Map<string, { n: number; sum: number; squaredCells: number }> };

const scalars = [
  'n',
  'sum',
  'cells',
  'prompts',
  'within',
  'betweenCells',
  'betweenPrompts',
  'squaredCells',
  'squaredPrompts',
  'nestedInPrompts',
] as const;

/**
 * The components of variance of values in the crossed design prompt x stratum with repeats, and those without each of the
 * prompts. By Henderson's method I, which is the analysis of variance where the design is balanced. Negative estimates
 * are 0. With one stratum it is the one-way design, and `stratum` and `promptByStratum` are 0. Null where the design
 * cannot tell the components apart.
 * Henderson (1953), "Estimation of variance and covariance components", Biometrics 9, 226-252; the expectations are those
 * of Searle, Casella and McCulloch (1992), "Variance components", section 5.3.
 */
export function varianceComponents(given: readonly ObservedCell[]): {
  all: Components | null;
  omitted: (Components | null)[];
} {
  const cells = given.filter(({ n }) => n > 0);
  const mean = sumOf(cells, ({ sum }) => sum) / sumOf(cells, ({ n }) => n);
  // Deviations from the mean, so that no digits are lost in differences of large sums.
  const centred = cells.map((cell) => ({
    ...cell,
    sum: cell.sum - cell.n * mean,
    squares: cell.squares - cell.sum ** 2 / cell.n,
  }));
  const parts = [...Map.groupBy(centred, ({ prompt }) => prompt).values()].map(sumPrompt);
  const all = parts.reduce((sums, part) => combine(sums, part, 1), nothing);
  return { all: estimate(all), omitted: parts.map((part) => estimate(combine(all, part, -1))) };
}

const toScalars = (read: (name: keyof Scalars) => number): Scalars =>
  Object.fromEntries(scalars.map((name) => [name, read(name)])) as Scalars;

const nothing: Sums = { ...toScalars(() => 0), strata: new Map() };

/** The sums of one prompt. `squares` of its cells are those of the deviations from their own mean. */
function sumPrompt(cells: readonly ObservedCell[]): Sums {
  const [n, sum] = [sumOf(cells, (cell) => cell.n), sumOf(cells, (cell) => cell.sum)];
  const squaredCells = sumOf(cells, (cell) => cell.n ** 2);
  return {
    n,
    sum,
    cells: cells.length,
    prompts: 1,
    within: sumOf(cells, ({ squares }) => squares),
    betweenCells: sumOf(cells, (cell) => cell.sum ** 2 / cell.n),
    betweenPrompts: sum ** 2 / n,
    squaredCells,
    squaredPrompts: n ** 2,
    nestedInPrompts: squaredCells / n,
    strata: new Map(
      cells.map((cell) => [cell.stratum, { n: cell.n, sum: cell.sum, squaredCells: cell.n ** 2 }]),
    ),
  };
}

/** Adds a part, or with the sign -1 removes it. */
function combine(sums: Sums, part: Sums, sign: 1 | -1): Sums {
  const strata = new Map(sums.strata);
  for (const [key, { n, sum, squaredCells }] of part.strata) {
    const of = strata.get(key) ?? { n: 0, sum: 0, squaredCells: 0 };
    strata.set(key, {
      n: of.n + sign * n,
      sum: of.sum + sign * sum,
      squaredCells: of.squaredCells + sign * squaredCells,
    });
  }
  return { ...toScalars((name) => sums[name] + sign * part[name]), strata };
}

function estimate(sums: Sums): Components | null {
  if (sums.n === 0 || sums.n === sums.cells) return null;
  const repeat = Math.max(0, sums.within / (sums.n - sums.cells));
  const strata = [...sums.strata.values()].filter(({ n }) => n > 0);
  const estimates = strata.length === 1 ? solveOneWay(sums, repeat) : solveCrossed(sums, strata, repeat);
  if (estimates === null) return null;
  const [prompt = 0, stratum = 0, promptByStratum = 0] = estimates.map((each) => Math.max(0, each));
  return { prompt, stratum, promptByStratum, repeat };
}

function solveOneWay(sums: Sums, repeat: number): number[] | null {
  const coefficient = sums.n - sums.squaredPrompts / sums.n;
  const between = sums.betweenPrompts - sums.sum ** 2 / sums.n;
  return coefficient <= 0 ? null : [(between - (sums.prompts - 1) * repeat) / coefficient];
}

/** Equates the sums of squares between cells, prompts and strata with their expectations. */
function solveCrossed(
  sums: Sums,
  strata: readonly { n: number; sum: number; squaredCells: number }[],
  repeat: number,
): number[] | null {
  const { n } = sums;
  const mean = sums.sum ** 2 / n;
  const prompts = sums.squaredPrompts / n;
  const ofStrata = sumOf(strata, (each) => each.n ** 2) / n;
  const cells = sums.squaredCells / n;
  const inPrompts = sums.nestedInPrompts;
  const inStrata = sumOf(strata, (each) => each.squaredCells / each.n);
  const betweenStrata = sumOf(strata, (each) => each.sum ** 2 / each.n);
  const excess = (between: number, groups: number): number => between - mean - (groups - 1) * repeat;
  return solve([
    [n - prompts, n - ofStrata, n - cells, excess(sums.betweenCells, sums.cells)],
    [n - prompts, inPrompts - ofStrata, inPrompts - cells, excess(sums.betweenPrompts, sums.prompts)],
    [inStrata - prompts, n - ofStrata, inStrata - cells, excess(betweenStrata, strata.length)],
  ]);
}

/** Solves linear equations, each its coefficients and its right side, by Gaussian elimination; null if singular. */
function solve(equations: readonly (readonly number[])[]): number[] | null {
  const rows = equations.map((row) => [...row]);
  for (const column of rows.keys()) {
    const sizes = rows.map((row, index) => (index < column ? -1 : Math.abs(row[column] ?? 0)));
    const best = sizes.indexOf(Math.max(...sizes));
    const pivot = rows[best] ?? [];
    const value = pivot[column] ?? 0;
    if (Math.abs(value) < 1e-9) return null;
    rows[best] = rows[column] ?? [];
    rows[column] = pivot.map((each) => each / value);
    for (const [index, row] of rows.entries()) {
      const factor = row[column] ?? 0;
      if (index !== column) rows[index] = row.map((each, at) => each - factor * (rows[column]?.[at] ?? 0));
    }
  }
  return rows.map((row) => row.at(-1) ?? 0);
}

const sumOf = <T>(items: readonly T[], toNumber: (item: T) => number): number =>
  items.reduce((sum, item) => sum + toNumber(item), 0);
