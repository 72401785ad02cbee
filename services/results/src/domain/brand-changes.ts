import type { Changes, DateWindow, Verdict } from '@bv/contract';
import { type Comparison, decideChanges } from '@bv/statistics';
import { rounded } from './formulas.ts';
import { toScoreComparison } from './score-comparison.ts';

type ChangesQuery = Pick<Changes, 'window_days' | 'metric' | 'country' | 'fdr'>;
type Row = Changes['rows'][number];

/** A brand with the comparison of its windows at a confidence of 0.95. */
export type ComparedBrand = { brand: Row['brand']; comparison: Comparison };

/** The public form of the comparisons of many brands. */
export function toChanges(
  query: ChangesQuery,
  windows: { a: DateWindow; b: DateWindow },
  brands: readonly ComparedBrand[],
): Changes {
  const series = { metric: query.metric, country: query.country, platform: null };
  const decided = decideChanges(
    brands.map(({ comparison }) => comparison),
    query.fdr,
  );
  const rows = decided.map(({ pValue, qValue, verdict }, index): Row => {
    const { brand, comparison } = brands[index] as ComparedBrand;
    const { a, b, difference, reasons } = toScoreComparison(series, windows, comparison);
    return { brand, a, b, difference, p_value: pValue, q_value: qValue, verdict, reasons };
  });
  const count = (verdict: Verdict): number => rows.filter((row) => row.verdict === verdict).length;
  return {
    ...query,
    tested: rows.length - count('not_comparable'),
    not_comparable: count('not_comparable'),
    up: count('up'),
    down: count('down'),
    median_difference: rounded(
      median(brands.filter((_, index) => decided[index]?.qValue !== null).flatMap(toValue)),
    ),
    rows: rows.toSorted(byQValue),
  };
}

const toValue = ({ comparison: { difference } }: ComparedBrand): number[] =>
  difference === null ? [] : [difference.value];

function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

const byQValue = (a: Row, b: Row): number =>
  (a.q_value ?? Infinity) - (b.q_value ?? Infinity) || (a.brand.id < b.brand.id ? -1 : 1);

/** Bounds the memory: the cells of so many prompts are read at once, or those of one brand. */
const promptsAtOnce = 1_000;

/** Brands in groups, in their order. */
export function toBatches<Brand extends { prompts: number }>(brands: readonly Brand[]): Brand[][] {
  const batches: Brand[][] = [];
  let prompts = Infinity;
  for (const brand of brands) {
    prompts += brand.prompts;
    if (prompts <= promptsAtOnce) {
      batches.at(-1)?.push(brand);
    } else {
      batches.push([brand]);
      prompts = brand.prompts;
    }
  }
  return batches;
}
