import { expect, test } from '@jest/globals';
import { intraClusterCorrelation, windowRates } from '../src/index.ts';
import { simulateBrand } from './simulate-brand.ts';

const brand = { prompts: 2_000, cellsPerPrompt: 2, samples: 5, rho: 0.3, base: 0.4, effect: 0.1, seed: 7 };

test('the same seed gives the same windows, another one gives others', () => {
  const small = { ...brand, prompts: 20 };
  expect(simulateBrand(small)).toEqual(simulateBrand(small));
  expect(simulateBrand({ ...small, seed: 8 })).not.toEqual(simulateBrand(small));
});

test('the windows have the rate, the effect and the correlation that were asked for', () => {
  const { a, b } = simulateBrand(brand);
  expect(Math.abs(windowRates(a.cells).mentionRate! - 40)).toBeLessThan(3);
  expect(Math.abs(windowRates(b.cells).mentionRate! - 50)).toBeLessThan(3);
  const clusters = Map.groupBy(a.cells, ({ promptId }) => promptId)
    .values()
    .map((cells) => ({
      n: cells.reduce((sum, { units }) => sum + units, 0),
      successes: cells.reduce((sum, { mentioned }) => sum + mentioned, 0),
    }));
  expect(Math.abs(intraClusterCorrelation([...clusters]) - 0.3)).toBeLessThan(0.04);
});

test('a window can have more answers than the other', () => {
  const { a, b } = simulateBrand({ ...brand, prompts: 3, samplesB: 1 });
  expect([windowRates(a.cells).unitsAnswered, windowRates(b.cells).unitsAnswered]).toEqual([30, 6]);
});
