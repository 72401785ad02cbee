import type { Sampler } from './sampler.ts';
import { median } from './statistics.ts';

/** Two costs of one round, measured one after the other. */
export type Pair = { own: number; base: number };

type PairOptions = {
  sampler: Pick<Sampler, 'sample'>;
  name: string;
  /** Pairs that count. One more runs first, to warm up. */
  rounds: number;
  own: () => Promise<number>;
  base: () => Promise<number>;
};

/** The kernel counts CPU time in ticks of 10 ms, so the load of others is not visible in a shorter sample. */
const minSampleMs = 500;

/** Median of the ratios of the rounds. What slows a whole round cancels out, unlike in the ratio of two medians. */
export const medianRatio = (pairs: readonly Pair[]): number =>
  median(pairs.map(({ own, base }) => own / base));

/** Alternates two costs, and repeats the rounds that other load disturbed. Short rounds share a sample. */
export async function measurePairs({ sampler, name, rounds, own, base }: PairOptions): Promise<Pair[]> {
  const runRound = async (): Promise<Pair> => ({ own: await own(), base: await base() });
  await runRound();
  const pairs: Pair[] = [];
  while (pairs.length < rounds) {
    const left = rounds - pairs.length;
    const block = await sampler.sample(name, async () => {
      const taken: Pair[] = [];
      const startMs = performance.now();
      do taken.push(await runRound());
      while (taken.length < left && performance.now() - startMs < minSampleMs);
      return taken;
    });
    pairs.push(...block);
  }
  return pairs;
}
