import { compiled, incbi } from 'cephes';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { mersenne } from 'pure-rand/generator/mersenne';
import type { ComparedCell, ComparedWindow } from '../src/compare-cells.ts';

await compiled;

export type BrandToSimulate = {
  prompts: number;
  cellsPerPrompt: number;
  /** Answered units of a cell in window a, and in window b unless `samplesB` says otherwise. */
  samples: number;
  samplesB?: number;
  /** Correlation of the mentions in the answers to one prompt. */
  rho: number;
  /** Expected mention rate in window a, 0 to 1. */
  base: number;
  /** What the expected mention rate of window b is above that of window a. */
  effect: number;
  seed: number;
};

/**
 * How likely an answer to a prompt mentions the brand: the quantile at `u` of the beta distribution whose mean is `base`
 * and that correlates the answers to one prompt by `rho`.
 */
export function propensityAt(u: number, base: number, rho: number): number {
  if (rho === 0 || base <= 0 || base >= 1) return base;
  const size = 1 / rho - 1;
  return incbi(base * size, (1 - base) * size, u);
}

/**
 * Two windows of a brand. A prompt has the same rank among the prompts in both, so that without an effect its propensity
 * is the same. The same seed gives the same windows.
 */
export function simulateBrand(brand: BrandToSimulate): { a: ComparedWindow; b: ComparedWindow } {
  const generator = mersenne(brand.seed);
  const random = (): number => uniformFloat64(generator);
  const a: ComparedCell[] = [];
  const b: ComparedCell[] = [];
  for (let prompt = 0; prompt < brand.prompts; prompt += 1) {
    const u = random();
    const propensityA = propensityAt(u, brand.base, brand.rho);
    const propensityB =
      brand.effect === 0 ? propensityA : propensityAt(u, brand.base + brand.effect, brand.rho);
    for (let cell = 0; cell < brand.cellsPerPrompt; cell += 1) {
      const key = { promptId: `prompt-${prompt}`, country: 'US', platform: `platform-${cell}` };
      a.push({ ...key, ...simulateCell(random, brand.samples, propensityA) });
      b.push({ ...key, ...simulateCell(random, brand.samplesB ?? brand.samples, propensityB) });
    }
  }
  const window = { methodVersions: ['1'], isPartial: false };
  return { a: { cells: a, ...window }, b: { cells: b, ...window } };
}

function simulateCell(random: () => number, units: number, propensity: number) {
  const sums = {
    units,
    mentioned: 0,
    cited: 0,
    unitScoreSum: 0,
    positionSum: 0,
    sentimentSum: 0,
    sentimentCount: 0,
  };
  for (let unit = 0; unit < units; unit += 1) {
    if (random() >= propensity) continue;
    const position = 1 + Math.floor(5 * random());
    sums.mentioned += 1;
    sums.positionSum += position;
    sums.unitScoreSum += 100 / (1 + 0.1 * (position - 1));
    sums.cited += random() < 0.5 ? 1 : 0;
    sums.sentimentSum += 100 * random();
    sums.sentimentCount += 1;
  }
  return { ...sums, models: ['model-1'] };
}
