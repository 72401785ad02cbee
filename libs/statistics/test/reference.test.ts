import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { compiled, stdtri } from 'cephes';
import {
  type CellSums,
  type Cluster,
  compareCells,
  type Comparison,
  effectiveSampleSize,
  intraClusterCorrelation,
  type Metric,
  windowRates,
  type WindowRates,
  wilsonInterval,
} from '../src/index.ts';
import { type Components, type ObservedCell, varianceComponents } from '../src/variance-components.ts';
import { type ArmValues, compareArms, permutationTest } from '../src/arms.ts';
import { toQValues } from '../src/false-discovery.ts';
import type { Difference } from '../src/paired-test.ts';
import { window } from './cell.ts';

/** What reference.py computed by scipy, statsmodels and pandas. */
type Reference = {
  script: string;
  versions: Record<string, string>;
  wilson: { proportion: number; trials: number; z: number; low: number; high: number }[];
  clusters: { clusters: Cluster[]; correlation: number; effective: number }[];
  tQuantiles: { degrees: number; quantile: number }[];
  arms: { values: ArmValues; effect: Difference; pValue: number }[];
  discoveries: { pValues: number[]; qValues: number[] }[];
  components: { cells: ObservedCell[]; components: Components }[];
  windows: (Record<'a' | 'b', { cells: CellSums[]; rates: WindowRates }> & {
    comparisons: Record<Metric, Pick<Comparison, 'a' | 'b' | 'difference' | 'pValue'>>;
  })[];
};

const read = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8');
const reference = JSON.parse(read('reference.json'), (key, value: unknown) =>
  // The reference has no unknown citations.
  key === 'cells' && 'units' in (value as object[])[0]!
    ? (value as CellSums[]).map((cell) => ({ ...cell, citationsUnknown: 0 }))
    : value,
) as Reference;
const tolerance = 1e-9;

await compiled;

/** Fails on another shape, and on numbers that differ by more than the tolerance. */
function expectClose(actual: unknown, expected: unknown, path = ''): void {
  if (typeof expected === 'number' && typeof actual === 'number') {
    const error = Math.abs(actual - expected) / Math.max(1, Math.abs(expected));
    if (!(error <= tolerance)) throw new Error(`${path}: ${actual} instead of ${expected}`);
  } else if (typeof expected === 'object' && expected !== null) {
    expect(Object.keys(actual ?? {}).toSorted()).toEqual(Object.keys(expected).toSorted());
    for (const [key, value] of Object.entries(expected)) {
      expectClose((actual as Record<string, unknown>)[key], value, `${path}.${key}`);
    }
  } else {
    expect({ path, value: actual }).toEqual({ path, value: expected });
  }
}

test('reference.json is what this reference.py wrote with the pinned packages', () => {
  expect(reference.script).toBe(createHash('sha256').update(read('reference.py')).digest('hex'));
  const pinned = Object.entries(reference.versions).map(([name, version]) => `${name}==${version}\n`);
  expect(pinned.join('')).toBe(read('requirements.txt'));
});

test('Wilson bounds agree with statsmodels, also for fractions of trials', () => {
  expect(reference.wilson.length).toBeGreaterThan(20);
  for (const { proportion, trials, z, low, high } of reference.wilson) {
    expectClose(wilsonInterval(proportion, trials, z), { low, high }, `${proportion} of ${trials}`);
  }
});

test('correlation and effective sample size agree with an analysis of variance of the single units', () => {
  expect(reference.clusters.length).toBeGreaterThan(5);
  for (const { clusters, correlation, effective } of reference.clusters) {
    expectClose(intraClusterCorrelation(clusters), correlation, 'correlation');
    expectClose(effectiveSampleSize(clusters), effective, 'effective');
  }
});

test('components of variance agree with REML where balanced, else with Henderson by projections', () => {
  expect(reference.components).toHaveLength(3);
  for (const [index, { cells, components }] of reference.components.entries()) {
    const { all } = varianceComponents(cells);
    // REML is found by a search, so it is less exact.
    if (index > 0) expectClose(all, components, `design ${index}`);
    else {
      for (const [name, value] of Object.entries(components)) {
        expect(Math.abs(all![name as keyof Components] / value - 1)).toBeLessThan(0.002);
      }
    }
  }
});

test('effects, their intervals and the p-values over all splits agree with scipy', async () => {
  expect(reference.arms).toHaveLength(4);
  for (const { values, effect, pValue } of reference.arms) {
    expectClose(compareArms(values), effect);
    expectClose(await permutationTest(values, 0), pValue);
  }
});

test('q-values agree with scipy', () => {
  expect(reference.discoveries).toHaveLength(4);
  for (const { pValues, qValues } of reference.discoveries) expectClose(toQValues(pValues), qValues);
});

test('quantiles of the t distribution agree with scipy', () => {
  expect(reference.tQuantiles.length).toBeGreaterThan(30);
  for (const { degrees, quantile } of reference.tQuantiles) {
    expectClose(stdtri(degrees, 0.975), quantile, `${degrees} degrees`);
  }
});

describe.each(reference.windows)('a brand with $a.rates.promptsMeasured prompts', ({ a, b, comparisons }) => {
  const compared = (cells: CellSums[]) =>
    window(cells.map((cell) => ({ ...cell, models: [], surfaces: [], searchedBrands: [] })));

  test('has the figures that pandas and statsmodels compute from its units', () => {
    expectClose(windowRates(a.cells), a.rates);
    expectClose(windowRates(b.cells), b.rates);
  });

  test.each(Object.entries(comparisons) as [Metric, (typeof comparisons)[Metric]][])(
    'has the difference in %s that scipy gives',
    (metric, expected) => {
      const {
        a: figuresA,
        b: figuresB,
        difference,
        pValue,
      } = compareCells(compared(a.cells), compared(b.cells), { metric, confidence: 0.95 });
      expectClose({ a: figuresA, b: figuresB, difference, pValue }, expected);
      // Small p-values have the same relative precision.
      expectClose((pValue ?? 1) / (expected.pValue ?? 1), 1, 'p-value');
    },
  );
});
