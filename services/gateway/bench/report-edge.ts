import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { barChart, growthChart, slopePerDecade } from '@bv/measure';
import { baselineName, type Target } from './targets.ts';
import type { Sample } from './measure-target.ts';

export type Result = { target: Target; full: Sample; half: Sample };
/** `retainedHeapBytes` is what the process held after full collections; its sample has the memory before them. */
export type GrowthSamples = { keys: number; sample: Sample; retainedHeapBytes: number }[];

/** Ratios to the baseline of the same run, because absolute rates differ between machines. */
export function resultTable(results: readonly Result[]): string[] {
  const baseline = results.find(({ target }) => target.name === baselineName);
  if (baseline === undefined) throw new Error('the baseline was not measured');
  const rows = results.map(({ target, full, half }) => {
    const cells = [
      (full.rps / baseline.full.rps).toFixed(2),
      (full.cpuUs / baseline.full.cpuUs).toFixed(2),
      (full.allCpuUs / baseline.full.allCpuUs).toFixed(2),
      (full.p50Ms / baseline.full.p50Ms).toFixed(2),
      (full.p99Ms / baseline.full.p99Ms).toFixed(2),
      signed(half.p50Ms - baseline.half.p50Ms),
      signed(half.p99Ms - baseline.half.p99Ms),
      full.megabytes.toFixed(0),
    ];
    return `| ${target.name} | ${cells.join(' | ')} |`;
  });
  return [
    '| | requests/s | CPU a request | CPU with its stores | p50 | p99 | added p50 at half load, ms | added p99 | MB |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows,
  ];
}

/** How close each half load was to half. A connection's delay uses the latency of the previous round. */
export function halfLoadText(results: readonly Result[], gateway: Target): string {
  const most = results.find(({ target }) => target === gateway)?.full.rps ?? Number.NaN;
  const shares = results.map(({ half }) => half.rps / most);
  return `half load was ${Math.min(...shares).toFixed(2)} to ${Math.max(...shares).toFixed(2)} of the gateway's most`;
}

const signed = (ms: number): string => `${ms < 0 ? '' : '+'}${ms.toFixed(2)}`;

/** `edge.svg`, `edge-p99.svg` and `edge-growth.svg`. */
export function writePlots(dir: string, results: readonly Result[], growth: GrowthSamples): void {
  const bars = (title: string, of: (result: Result) => number): string => {
    const baseline = results.find(({ target }) => target.name === baselineName);
    const ratios = results
      .map((result) => ({
        name: result.target.name,
        value: of(result) / (baseline ? of(baseline) : Number.NaN),
      }))
      .toSorted((one, other) => other.value - one.value);
    return barChart(
      `${title}, bare Node proxy = 1`,
      ratios.map((bar) => ({ ...bar, text: bar.value.toFixed(2) })),
    );
  };
  const rates = bars('Requests a second behind one upstream', ({ full }) => full.rps);
  writeFileSync(join(dir, 'edge.svg'), rates);
  writeFileSync(
    join(dir, 'edge-p99.svg'),
    bars('p99 at half load', ({ half }) => half.p99Ms),
  );
  const of = (name: string, field: 'cpuUs' | 'allCpuUs' | 'p99Ms') => ({
    name,
    points: growth.map(({ keys, sample }) => ({ size: keys, cost: sample[field] })),
  });
  const lines = [of('CPU a request', 'cpuUs'), of('with stores', 'allCpuUs'), of('p99', 'p99Ms')];
  writeFileSync(
    join(dir, 'edge-growth.svg'),
    growthChart('Costs by keys in use, one key = 1', 'keys', lines),
  );
}

export function growthTable(growth: GrowthSamples): string[] {
  const [first] = growth;
  if (first === undefined) throw new Error('growth was not measured');
  const rows = growth.map(({ keys, sample, retainedHeapBytes }) => {
    const ratio = (field: 'rps' | 'cpuUs' | 'allCpuUs' | 'p99Ms'): string =>
      (sample[field] / first.sample[field]).toFixed(2);
    const cells = [
      ratio('rps'),
      ratio('cpuUs'),
      ratio('allCpuUs'),
      ratio('p99Ms'),
      sample.megabytes.toFixed(0),
      (retainedHeapBytes / 1_048_576).toFixed(0),
    ];
    return `| ${keys} | ${cells.join(' | ')} |`;
  });
  const slope = (field: 'cpuUs' | 'allCpuUs' | 'p99Ms'): string =>
    slopePerDecade(growth.map(({ keys, sample }) => ({ size: keys, cost: sample[field] }))).toFixed(2);
  return [
    '| keys, each used | requests/s | CPU a request | CPU with stores | p99 | MB | MB after full collections |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
    `Ten times as many keys multiply CPU a request by ${slope('cpuUs')}, with stores by ${slope('allCpuUs')}, p99 by ${slope('p99Ms')}.`,
  ];
}
