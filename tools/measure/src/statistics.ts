/** A quantile by nearest rank; NaN without numbers. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((left, right) => left - right);
  const rank = Math.max(1, Math.ceil(share * sorted.length));
  return sorted[rank - 1] ?? Number.NaN;
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** The factor of the cost when the size grows tenfold: 1 is constant, 10 is linear. */
export function slopePerDecade(points: readonly { size: number; cost: number }[]): number {
  const logs = points.map(({ size, cost }) => ({ x: Math.log10(size), y: Math.log10(cost) }));
  const mean = (numbers: number[]): number => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
  const [x, y] = [mean(logs.map((point) => point.x)), mean(logs.map((point) => point.y))];
  const covariance = mean(logs.map((point) => (point.x - x) * (point.y - y)));
  return 10 ** (covariance / mean(logs.map((point) => (point.x - x) ** 2)));
}

/** Each size with its cost divided by that of the first, and the slope: `60: 1.00, 600: 0.91; 0.91 a decade`. */
export function growthText(points: readonly { size: number; cost: number }[]): string {
  const [first = { cost: Number.NaN }] = points;
  const shares = points.map(({ size, cost }) => `${size}: ${(cost / first.cost).toFixed(2)}`).join(', ');
  return `${shares}; ${slopePerDecade(points).toFixed(2)} a decade`;
}
