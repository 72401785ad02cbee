import { compiled, incbet, lgam, ndtr, stdtri } from 'cephes';

await compiled;

/**
 * Distribution function of the noncentral t distribution at t >= 0.
 * Lenth, R. V. (1989), "Algorithm AS 243: cumulative distribution function of the non-central t distribution",
 * Applied Statistics 38, 185-189.
 */
function noncentralT(t: number, degrees: number, delta: number): number {
  const x = (t * t) / (t * t + degrees);
  const half = (delta * delta) / 2;
  let sum = 0;
  for (let j = 0; j < 1_000; j += 1) {
    const p = Math.exp(j === 0 ? -half : -half + j * Math.log(half) - lgam(j + 1));
    const q =
      (delta / Math.SQRT2) *
      Math.exp(j === 0 ? -half - lgam(1.5) : -half + j * Math.log(half) - lgam(j + 1.5));
    const term = p * incbet(j + 0.5, degrees / 2, x) + q * incbet(j + 1, degrees / 2, x);
    sum += term;
    if (j > half && p < 1e-16) break;
  }
  return ndtr(-delta) + sum / 2;
}

/**
 * How often the paired t interval of 95 % excludes 0, for normal differences of prompts whose mean is `effectSize`
 * standard deviations.
 */
export function pairedPower(prompts: number, effectSize: number): number {
  const degrees = prompts - 1;
  const critical = stdtri(degrees, 0.975);
  const delta = effectSize * Math.sqrt(prompts);
  return Math.min(1, 2 - noncentralT(critical, degrees, delta) - noncentralT(critical, degrees, -delta));
}
