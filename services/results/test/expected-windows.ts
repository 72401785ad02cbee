/**
 * A second implementation of the figures of windows and of their comparison, from single answers. It shares no code with
 * the service and its libraries, so that a mistake in one of them makes a test fail.
 */
export type Unit = {
  promptId: string;
  country: string;
  platform: string;
  model: string | null;
  runDate: string;
  finalizedAt: string;
  answered: boolean;
  /** Of the own brand; null without a mention. */
  position: number | null;
  sentiment: number | null;
  cited: boolean;
  /** Whether a link of the answer is unresolved. */
  unresolved?: boolean;
  /** Number of competitors that are mentioned. */
  competitors: number;
};

export type Metric = 'score' | 'mention_rate' | 'sentiment' | 'citation_rate' | 'average_position';

const average = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

const groups = <T>(items: readonly T[], toKey: (item: T) => string): T[][] => [
  ...Map.groupBy(items, toKey).values(),
];

const toCell = (unit: Unit): string => JSON.stringify([unit.promptId, unit.country, unit.platform]);

/** The value of one answer; null if it has none. */
const valueOf: Record<Metric, (unit: Unit) => number | null> = {
  score: ({ position }) => (position === null ? 0 : 1000 / (9 + position)),
  mention_rate: ({ position }) => (position === null ? 0 : 100),
  citation_rate: ({ cited, unresolved }) => (cited ? 100 : unresolved ? null : 0),
  sentiment: ({ position, sentiment }) => (position === null ? null : sentiment),
  average_position: ({ position }) => position,
};

const meanOf = (units: readonly Unit[], metric: Metric): number | null =>
  average(units.filter(({ answered }) => answered).flatMap((unit) => valueOf[metric](unit) ?? []));

/** The mean of the means of the cells; null if no cell has a value. */
export const pooled = (units: readonly Unit[], metric: Metric): number | null =>
  average(groups(units, toCell).flatMap((cell) => meanOf(cell, metric) ?? []));

/** Number of answers divided by the design effect, with the prompt as cluster, and adjusted to the number of prompts. */
export function effectiveUnits(units: readonly Unit[]): number {
  const clusters = groups(
    units.filter(({ answered }) => answered),
    ({ promptId }) => promptId,
  ).map((cluster) => cluster.map(({ position }): number => (position === null ? 0 : 1)));
  const all = clusters.flat();
  const [n, k] = [all.length, clusters.length];
  if (n === 0) return 0;
  const grand = average(all) ?? 0;
  const squares = (values: readonly number[], centre: number): number =>
    values.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  const within = clusters.reduce((sum, cluster) => sum + squares(cluster, average(cluster) ?? 0), 0);
  const between = squares(all, grand) - within;
  const m0 = (n - clusters.reduce((sum, cluster) => sum + cluster.length ** 2, 0) / n) / (k - 1);
  const [msb, msw] = [between / (k - 1), within / (n - k)];
  const rho = (msb - msw) / (msb + (m0 - 1) * msw);
  const bounded = k < 2 || n === k || Number.isNaN(rho) ? 0 : Math.min(1, Math.max(0, rho));
  if (k < 2) return n;
  const independent = n / (1 + (n / k - 1) * Math.max(0.1, bounded));
  return Math.max(1, independent * (tQuantile(n - 1) / tQuantile(k - 1)) ** 2);
}

/** The bounds of Wilson's interval of a percentage: the roots of (p - q)^2 = z^2 q (1 - q) / n. */
export function wilsonBounds(rate: number, n: number): { low: number; high: number } {
  const z2 = 1.959963984540054 ** 2;
  const p = rate / 100;
  const [a, b, c] = [1 + z2 / n, -(2 * p + z2 / n), p * p];
  const root = Math.sqrt(Math.max(0, b * b - 4 * a * c));
  return { low: ((-b - root) / (2 * a)) * 100, high: ((-b + root) / (2 * a)) * 100 };
}

/** The last unit of each cell and day. */
export const latestUnits = (units: readonly Unit[]): Unit[] =>
  groups(units, (unit) => `${unit.runDate} ${toCell(unit)}`).map((cell) =>
    cell.reduce((last, unit) => (unit.finalizedAt > last.finalizedAt ? unit : last)),
  );

/** The own brand's share of all mentions. */
export function shareOfVoice(units: readonly Unit[]): number | null {
  const answers = units.filter(({ answered }) => answered);
  const own = answers.filter(({ position }) => position !== null).length;
  const all = answers.reduce((sum, { competitors }) => sum + competitors, own);
  return all === 0 ? null : (100 * own) / all;
}

/** Answers by platform and model, the unknown model last. */
export function servedModels(units: readonly Unit[]) {
  const toKey = ({ platform, model }: Unit): string => `${platform} ${model === null ? 1 : 0} ${model}`;
  return groups(
    units.filter(({ answered }) => answered),
    toKey,
  )
    .toSorted(([a], [b]) => (toKey(a!) < toKey(b!) ? -1 : 1))
    .map((group) => ({ platform: group[0]!.platform, model: group[0]!.model, units: group.length }));
}

/** Whether a platform has known models in both, and not the same ones. */
export function isModelChanged(a: readonly Unit[], b: readonly Unit[]): boolean {
  const known = (units: readonly Unit[], platform: string): string =>
    [...new Set(units.flatMap((u) => (u.answered && u.platform === platform ? (u.model ?? []) : [])))]
      .toSorted()
      .join();
  return [...new Set(a.map(({ platform }) => platform))].some((platform) => {
    const [before, after] = [known(a, platform), known(b, platform)];
    return before !== '' && after !== '' && before !== after;
  });
}

/**
 * The 97.5 % quantile of Student's t distribution. Abramowitz and Stegun (1964), 26.7.3 and 26.7.4: for integer degrees of
 * freedom the probability is a finite series in theta = arctan(t / sqrt(df)).
 */
export function tQuantile(df: number): number {
  const within = (t: number): number => {
    const theta = Math.atan(t / Math.sqrt(df));
    const cosine = Math.cos(theta);
    let [term, sum] = df % 2 === 1 ? [cosine, df > 1 ? cosine : 0] : [1, 1];
    for (let k = df % 2 === 1 ? 3 : 2; k <= df - 2; k += 2) {
      term *= ((k - 1) / k) * cosine ** 2;
      sum += term;
    }
    const series = Math.sin(theta) * sum;
    return df % 2 === 1 ? (2 / Math.PI) * (theta + series) : series;
  };
  let [low, high] = [0, 20];
  for (let step = 0; step < 100; step += 1) {
    const middle = (low + high) / 2;
    if (within(middle) < 0.95) low = middle;
    else high = middle;
  }
  return low;
}

/** Compares two sets of answers by a metric; no figure is rounded. */
export function expectedComparison(
  a: readonly Unit[],
  b: readonly Unit[],
  metric: Metric | 'share_of_voice',
) {
  const cellsA = Map.groupBy(a, toCell);
  const cellsB = Map.groupBy(b, toCell);
  const paired = [...cellsA.keys()].flatMap((key) => {
    const [unitsA, unitsB] = [cellsA.get(key) ?? [], cellsB.get(key) ?? []];
    const cellMetric = metric === 'share_of_voice' ? 'mention_rate' : metric;
    const [valueA, valueB] = [meanOf(unitsA, cellMetric), meanOf(unitsB, cellMetric)];
    return valueA === null || valueB === null ? [] : [{ unitsA, unitsB, valueA, valueB }];
  });
  const prompts = groups(paired, ({ unitsA }) => unitsA[0]!.promptId);
  const byPrompt = (side: 'valueA' | 'valueB') =>
    prompts.map((cells) => average(cells.map((cell) => cell[side])) ?? 0);
  const answered = (units: readonly Unit[]): Unit[] => units.filter((unit) => unit.answered);
  const [pairedA, pairedB] = [
    paired.flatMap(({ unitsA }) => answered(unitsA)),
    paired.flatMap(({ unitsB }) => answered(unitsB)),
  ];
  const isShare = metric === 'share_of_voice';
  const shareWithout = (units: readonly Unit[], promptId: string | null): number | null =>
    shareOfVoice(units.filter((unit) => unit.promptId !== promptId));
  const shareDifference = (promptId: string | null): number =>
    (shareWithout(pairedB, promptId) ?? Number.NaN) - (shareWithout(pairedA, promptId) ?? Number.NaN);
  const k = prompts.length;
  // Pseudo-values of the jackknife have the spread of its interval, and another mean than the difference.
  const differences = isShare
    ? prompts.map(
        (cells) => k * shareDifference(null) - (k - 1) * shareDifference(cells[0]!.unitsA[0]!.promptId),
      )
    : byPrompt('valueB').map((value, index) => value - (byPrompt('valueA')[index] ?? 0));
  const centre = average(differences) ?? 0;
  const value = isShare ? shareDifference(null) : average(differences);
  const spread = Math.sqrt(
    differences.reduce((sum, one) => sum + (one - centre) ** 2, 0) / (differences.length - 1),
  );
  const margin = (tQuantile(differences.length - 1) * spread) / Math.sqrt(differences.length);
  const countCells = (units: readonly Unit[]): number => new Set(answered(units).map(toCell)).size;
  return {
    a: {
      value: isShare ? shareOfVoice(pairedA) : average(byPrompt('valueA')),
      units: pairedA.length,
      prompts: prompts.length,
    },
    b: {
      value: isShare ? shareOfVoice(pairedB) : average(byPrompt('valueB')),
      units: pairedB.length,
      prompts: prompts.length,
    },
    difference:
      value === null || Number.isNaN(margin) || k < (isShare ? 5 : 2)
        ? null
        : { value, low: value - margin, high: value + margin },
    isTooFew: k < 5 || Number.isNaN(margin),
    isUnequal: pairedA.length > 4 * pairedB.length || pairedB.length > 4 * pairedA.length,
    isModelChanged: isModelChanged(pairedA, pairedB),
    isPromptSetChanged: 5 * paired.length < 4 * Math.max(countCells(a), countCells(b)),
    isPaired: paired.length > 0,
  };
}
