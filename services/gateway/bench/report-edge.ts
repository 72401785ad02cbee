import { median, medianRatio, slopePerDecade } from '@bv/measure';
import { baselineName, type Target } from './targets.ts';
import type { Sample } from './measure-target.ts';

export type Sampled = { full: Sample; half: Sample };
/** A target with its samples of each round. */
export type Result = { target: Target; rounds: readonly Sampled[] };
export type GrowthSamples = { keys: number; samples: readonly Sample[] }[];

type Figure = Exclude<keyof Sample, 'failed'>;
export const fullOf = ({ rounds }: Result): Sample[] => rounds.map(({ full }) => full);
export const halfOf = ({ rounds }: Result): Sample[] => rounds.map(({ half }) => half);

const medianOf = (samples: readonly Sample[], figure: Figure): number =>
  median(samples.map((sample) => sample[figure]));

/** The samples of one round belong together, because the speed of the machine changes within minutes. */
const pairsOf = (own: readonly Sample[], base: readonly Sample[], figure: Figure) =>
  own.map((sample, round) => ({ own: sample[figure], base: base[round]?.[figure] ?? Number.NaN }));

/** Median of the ratios of the rounds. */
export const ratioOf = (own: readonly Sample[], base: readonly Sample[], figure: Figure): number =>
  medianRatio(pairsOf(own, base, figure));

/** Median of the differences of the rounds. */
export const differenceOf = (own: readonly Sample[], base: readonly Sample[], figure: Figure): number =>
  median(pairsOf(own, base, figure).map((pair) => pair.own - pair.base));

/** Ratios to the baseline of the same round, because absolute rates differ between machines. */
export function resultTable(results: readonly Result[]): string[] {
  const baseline = results.find(({ target }) => target.name === baselineName);
  if (baseline === undefined) throw new Error('the baseline was not measured');
  const rows = results.map((result) => {
    const ratio = (figure: Figure): string => ratioOf(fullOf(result), fullOf(baseline), figure).toFixed(2);
    const added = (figure: Figure): string => signed(differenceOf(halfOf(result), halfOf(baseline), figure));
    const cells = [
      ratio('rps'),
      ratio('cpuUs'),
      ratio('allCpuUs'),
      ratio('p50Ms'),
      ratio('p99Ms'),
      added('p50Ms'),
      added('p99Ms'),
      medianOf(fullOf(result), 'megabytes').toFixed(0),
    ];
    return `| ${result.target.name} | ${cells.join(' | ')} |`;
  });
  return [
    '| | requests/s | CPU a request | CPU with its stores | p50 | p99 | added p50 at half load, ms | added p99 | MB |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows,
  ];
}

/** How close each half load was to half. A connection's delay uses the latency of the previous round. */
export function halfLoadText(results: readonly Result[], gateway: Target): string {
  const own = results.find(({ target }) => target === gateway);
  const most = own === undefined ? Number.NaN : medianOf(fullOf(own), 'rps');
  const shares = results.map((result) => medianOf(halfOf(result), 'rps') / most);
  return `half load was ${Math.min(...shares).toFixed(2)} to ${Math.max(...shares).toFixed(2)} of the gateway's most`;
}

const signed = (ms: number): string => `${ms < 0 ? '' : '+'}${ms.toFixed(2)}`;

/** Cost of each size as a multiple of that of the first. */
export function growthOf(growth: GrowthSamples, figure: Figure): { size: number; cost: number }[] {
  const [first] = growth;
  if (first === undefined) throw new Error('growth was not measured');
  return growth.map(({ keys, samples }) => ({ size: keys, cost: ratioOf(samples, first.samples, figure) }));
}

export function growthTable(growth: GrowthSamples): string[] {
  const ratios = (['rps', 'cpuUs', 'allCpuUs', 'p99Ms'] as const).map((figure) => growthOf(growth, figure));
  const rows = growth.map(({ keys, samples }, index) => {
    const cells = [
      ...ratios.map((sizes) => sizes[index]?.cost.toFixed(2)),
      medianOf(samples, 'megabytes').toFixed(0),
    ];
    return `| ${keys} | ${cells.join(' | ')} |`;
  });
  const slope = (field: 'cpuUs' | 'allCpuUs' | 'p99Ms'): string =>
    slopePerDecade(growthOf(growth, field)).toFixed(2);
  return [
    '| keys, each used | requests/s | CPU a request | CPU with stores | p99 | MB |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
    `Ten times as many keys multiply CPU a request by ${slope('cpuUs')}, with stores by ${slope('allCpuUs')}, p99 by ${slope('p99Ms')}.`,
  ];
}
