import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Random durations. The same seed gives the same sequence. */
export type Random = { exponential(mean: number): number };

export function createRandom(seed: number): Random {
  const generator = xoroshiro128plus(seed);
  return { exponential: (mean) => -mean * Math.log(1 - uniformFloat64(generator)) };
}

/** Arrival times in seconds of batches that arrive independently of each other (a Poisson process). */
export function* arrive(
  random: Random,
  { perSecond, seconds, batch = 1 }: { perSecond: number; seconds: number; batch?: number },
): Generator<number> {
  const gap = batch / perSecond;
  for (let at = random.exponential(gap); at < seconds; at += random.exponential(gap)) {
    for (let item = 0; item < batch; item += 1) yield at;
  }
}
