import { describe, expect, test } from '@jest/globals';
import { baselineName, type Target } from './targets.ts';
import { checkGrowth, checkShares, objectiveLine } from './check-objectives.ts';
import type { Sample } from './measure-target.ts';
import type { Result } from './report-edge.ts';

const sample = (figures: Partial<Sample>): Sample => ({
  requests: 1_000,
  seconds: 1,
  failed: 0,
  p50Ms: 1,
  p99Ms: 2,
  rps: 1_000,
  cpuUs: 100,
  allCpuUs: 130,
  megabytes: 300,
  ...figures,
});
const result = (name: string, rps: number, p99Ms: number, more: Partial<Target> = {}): Result => ({
  target: { name, servers: [], guards: true, ...more },
  rounds: [{ full: sample({ rps }), half: sample({ p99Ms }) }],
});
const fieldOf = ({ baseline = 10_000, nginx = 13_000, express = 4_000, floorP99Ms = 1 }): Result[] => [
  result(baselineName, baseline, floorP99Ms),
  result('nginx auth_request + limit_req', nginx, 0.5),
  result('Express', express, 5, { onNode: true }),
];
const gateway = result('this gateway', 4_600, 3.5);
const growth = (...cpuUs: number[]) =>
  cpuUs.map((each, index) => ({ keys: 10 ** index, samples: [sample({ cpuUs: each })] }));
const flat = growth(100, 102, 100);
const checkObjectives = (results: Result[], grown = flat) => [
  ...checkShares(gateway, results),
  ...checkGrowth(grown),
];
const missed = (results: Result[], grown = flat): string[] =>
  checkObjectives(results, grown)
    .filter(({ met }) => !met)
    .map(objectiveLine);

describe('objectives of the edge', () => {
  test('is met by a run that has all of it, and each objective is told with its figure', () => {
    expect(checkObjectives(fieldOf({})).map(objectiveLine)).toEqual([
      'met    at least 0.450 of the baseline: 0.460',
      'met    at least 0.333 of nginx auth_request + limit_req: 0.354',
      'met    at least 1.000 of Express: 1.150',
      'met    at most 3.00 ms of p99 at half load over the baseline: 2.500',
      'met    at most 1.05 times the CPU a request for ten times the keys: 1.000',
    ]);
  });

  test.each([
    ['a faster baseline', fieldOf({ baseline: 10_300 }), 'at least 0.450 of the baseline: 0.447'],
    ['a faster nginx', fieldOf({ nginx: 13_900 }), 'at least 0.333 of nginx auth_request + limit_req: 0.331'],
    ['a faster Node peer', fieldOf({ express: 4_700 }), 'at least 1.000 of Express: 0.979'],
    [
      'an earlier baseline',
      fieldOf({ floorP99Ms: 0.4 }),
      'at most 3.00 ms of p99 at half load over the baseline: 3.100',
    ],
  ])('%s is a objective missed', (_, results, line) => {
    expect(missed(results)).toEqual([`MISSED ${line}`]);
  });

  test('what grows with keys is a objective missed', () => {
    expect(missed(fieldOf({}), growth(100, 110, 121))).toEqual([
      'MISSED at most 1.05 times the CPU a request for ten times the keys: 1.100',
    ]);
  });

  test('compares the samples of one round, so that a slow round counts once', () => {
    const inRounds = (name: string, ...rates: number[]): Result => ({
      ...result(name, 0, 1),
      rounds: rates.map((rps) => ({ full: sample({ rps }), half: sample({}) })),
    });
    // The medians of 4,600 and 9,000 would give 0.51.
    const [share] = checkShares(inRounds('this gateway', 4_600, 2_300, 4_700), [
      inRounds(baselineName, 10_000, 5_000, 9_000),
    ]);
    expect(share?.measured).toBe('0.460');
  });

  test('skips targets that were not measured', () => {
    const [baseline] = fieldOf({});
    const objectives = checkObjectives(baseline === undefined ? [] : [baseline], flat.slice(0, 1));
    expect(objectives.map(({ target }) => target)).toEqual([
      'at least 0.450 of the baseline',
      'at most 3.00 ms of p99 at half load over the baseline',
    ]);
  });
});
