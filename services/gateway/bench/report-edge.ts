import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { barChart, growthChart, slopePerDecade } from '@bv/measure';
import { floorName, type Contender } from './contenders.ts';
import type { Sample } from './measure-field.ts';

export type Result = { contender: Contender; full: Sample; half: Sample };
/** `neededBytes` is what the process held after full collections; its sample tells what it held without. */
export type GrowthSamples = { keys: number; sample: Sample; neededBytes: number }[];

/** Ratios to the floor of the same run: rates of a machine say nothing about another's. */
export function tableOf(results: readonly Result[]): string[] {
  const floor = results.find(({ contender }) => contender.name === floorName);
  if (floor === undefined) throw new Error('the floor was not measured');
  const rows = results.map(({ contender, full, half }) => {
    const cells = [
      (full.rps / floor.full.rps).toFixed(2),
      (full.cpuUs / floor.full.cpuUs).toFixed(2),
      (full.allCpuUs / floor.full.allCpuUs).toFixed(2),
      (full.p50Ms / floor.full.p50Ms).toFixed(2),
      (full.p99Ms / floor.full.p99Ms).toFixed(2),
      signed(half.p50Ms - floor.half.p50Ms),
      signed(half.p99Ms - floor.half.p99Ms),
      full.megabytes.toFixed(0),
    ];
    return `| ${contender.name} | ${cells.join(' | ')} |`;
  });
  return [
    '| | requests/s | CPU a request | CPU with its stores | p50 | p99 | added p50 at half load, ms | added p99 | MB |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows,
  ];
}

/** How near the half loads came to half: a connection waits by what it took to answer in the round before. */
export function halfLoadOf(results: readonly Result[], gateway: Contender): string {
  const most = results.find(({ contender }) => contender === gateway)?.full.rps ?? Number.NaN;
  const shares = results.map(({ half }) => half.rps / most);
  return `half load was ${Math.min(...shares).toFixed(2)} to ${Math.max(...shares).toFixed(2)} of the gateway's most`;
}

const signed = (ms: number): string => `${ms < 0 ? '' : '+'}${ms.toFixed(2)}`;

/** `edge.svg`, `edge-p99.svg` and `edge-growth.svg`. */
export function writePlots(dir: string, results: readonly Result[], growth: GrowthSamples): void {
  const bars = (title: string, of: (result: Result) => number): string => {
    const floor = results.find(({ contender }) => contender.name === floorName);
    const ratios = results
      .map((result) => ({
        name: result.contender.name,
        value: of(result) / (floor ? of(floor) : Number.NaN),
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
  const rows = growth.map(({ keys, sample, neededBytes }) => {
    const ratio = (field: 'rps' | 'cpuUs' | 'allCpuUs' | 'p99Ms'): string =>
      (sample[field] / first.sample[field]).toFixed(2);
    const cells = [
      ratio('rps'),
      ratio('cpuUs'),
      ratio('allCpuUs'),
      ratio('p99Ms'),
      sample.megabytes.toFixed(0),
      (neededBytes / 1_048_576).toFixed(0),
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
