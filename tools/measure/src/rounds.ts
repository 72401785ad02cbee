import { medianRatio, type Pair } from './pairs.ts';
import type { Sampler } from './sampler.ts';

/** Something that is measured once in each round. */
type RoundTarget<Sample> = { name: string; measure: () => Promise<Sample> };

type Options<Sample> = {
  rounds: number;
  sampler: Sampler;
  /** Is called with each sample. */
  report: (text: string) => void;
  describe: (sample: Sample) => string;
};

/**
 * Measures the targets in rounds, forwards and backwards in turn, and repeats a sample that other load disturbed. The
 * first round warms up. Returns the samples of each target by round. Put a baseline between what it is compared with.
 */
export async function measureRounds<Sample>(
  targets: readonly RoundTarget<Sample>[],
  { rounds, sampler, report, describe }: Options<Sample>,
): Promise<Sample[][]> {
  const samples = targets.map((): Sample[] => []);
  const indexed = targets.map((target, index) => ({ ...target, index }));
  for (let round = 0; round <= rounds; round += 1) {
    const isWarmUp = round === 0;
    const inRound = isWarmUp ? 'warm-up' : `round ${round} of ${rounds}`;
    for (const { name, measure, index } of round % 2 === 0 ? indexed : indexed.toReversed()) {
      const sample = await (isWarmUp ? measure() : sampler.sample(name, measure));
      if (!isWarmUp) samples[index]?.push(sample);
      report(`${inRound}, ${name}: ${describe(sample)}`);
    }
  }
  return samples;
}

/** A figure of two targets, round by round. */
export const pairRounds = <Sample>(
  own: readonly Sample[],
  base: readonly Sample[],
  read: (sample: Sample) => number,
): Pair[] =>
  own.flatMap((sample, round) => {
    const other = base[round];
    return other === undefined ? [] : [{ own: read(sample), base: read(other) }];
  });

/** The median of the ratios, and each of them: `0.41 (0.40, 0.43, 0.41)`. */
export function ratioText(pairs: readonly Pair[]): string {
  const each = pairs.map(({ own, base }) => (own / base).toFixed(2)).join(', ');
  return `${medianRatio(pairs).toFixed(2)} (${each})`;
}
