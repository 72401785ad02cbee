import { tQuantile } from './paired-test.ts';

/** A group of 0/1 observations that are alike, such as the answered units of a prompt. */
export type Cluster = { n: number; successes: number };

const total = (clusters: readonly Cluster[]): Cluster =>
  clusters.reduce((sum, { n, successes }) => ({ n: sum.n + n, successes: sum.successes + successes }), {
    n: 0,
    successes: 0,
  });

const nonEmpty = (clusters: readonly Cluster[]): Cluster[] => clusters.filter(({ n }) => n > 0);

/**
 * Correlation of two observations of the same cluster, 0 to 1: the one-way analysis-of-variance estimator
 * (MSB - MSW) / (MSB + (m0 - 1) MSW) with m0 = (n - sum(n_i^2) / n) / (k - 1). A negative estimate is 0. It is 0 too
 * with one cluster, without variance, and with one observation in each cluster.
 * Ridout, Demetrio and Firth (1999), "Estimating intraclass correlation for binary data", Biometrics 55, 137-148.
 */
export function intraClusterCorrelation(clusters: readonly Cluster[]): number {
  const used = nonEmpty(clusters);
  const k = used.length;
  const { n, successes } = total(used);
  if (k < 2 || n === k) return 0;
  const mean = successes / n;
  let between = 0;
  let within = 0;
  let squares = 0;
  for (const cluster of used) {
    const proportion = cluster.successes / cluster.n;
    between += cluster.n * (proportion - mean) ** 2;
    within += cluster.n * proportion * (1 - proportion);
    squares += cluster.n ** 2;
  }
  const meanSquareBetween = between / (k - 1);
  const meanSquareWithin = within / (n - k);
  const m0 = (n - squares / n) / (k - 1);
  const variance = meanSquareBetween + (m0 - 1) * meanSquareWithin;
  if (variance === 0) return 0;
  return Math.min(1, Math.max(0, (meanSquareBetween - meanSquareWithin) / variance));
}

/** In real data the estimate of few or rare mentions is often 0 although the answers to one prompt are alike. */
const minCorrelation = 0.1;

/**
 * The number of independent observations that have the same precision; 0 without observations. It is
 * n / (1 + (m - 1) max(rho, 0.1)) (t(n - 1) / t(k - 1))^2, at least 1, with k clusters of the mean size m and t the
 * 97.5 % quantile of Student's distribution. With one cluster it is n.
 * Korn and Graubard (1998), "Confidence intervals for proportions with small expected number of positive counts
 * estimated from survey data", Survey Methodology 24, 193-201.
 */
export function effectiveSampleSize(clusters: readonly Cluster[]): number {
  const used = nonEmpty(clusters);
  const k = used.length;
  const { n } = total(used);
  if (k < 2) return n;
  const designEffect = 1 + (n / k - 1) * Math.max(minCorrelation, intraClusterCorrelation(used));
  return Math.max(1, (n / designEffect) * (tQuantile(n - 1, 0.95) / tQuantile(k - 1, 0.95)) ** 2);
}
