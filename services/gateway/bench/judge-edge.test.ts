import { describe, expect, test } from '@jest/globals';
import { floorName, type Contender } from './contenders.ts';
import { goalLine, judgeEdge } from './judge-edge.ts';
import type { Sample } from './measure-field.ts';
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
const result = (name: string, rps: number, p99Ms: number, more: Partial<Contender> = {}): Result => ({
  contender: { name, servers: [], guards: true, ...more },
  full: sample({ rps }),
  half: sample({ p99Ms }),
});
const fieldOf = ({ floor = 10_000, nginx = 13_000, fastify = 4_000, floorP99Ms = 1 }): Result[] => [
  result(floorName, floor, floorP99Ms),
  result('nginx auth_request + limit_req', nginx, 0.5),
  result('Fastify', fastify, 5, { onNode: true }),
];
const gateway = result('this gateway', 4_600, 3.5);
const growth = (cpuUs: readonly number[], neededBytes: readonly number[]) =>
  cpuUs.map((each, index) => ({
    keys: 10 ** index,
    sample: sample({ cpuUs: each }),
    neededBytes: neededBytes[index] ?? 0,
  }));
const flat = growth([100, 102, 100], [150_000, 152_000, 169_800]);
const missed = (results: Result[], grown = flat): string[] =>
  judgeEdge(gateway, results, grown)
    .filter(({ met }) => !met)
    .map(goalLine);

describe('what is asked of the edge', () => {
  test('is met by a run that has all of it, and each goal is told with its figure', () => {
    expect(judgeEdge(gateway, fieldOf({}), flat).map(goalLine)).toEqual([
      'met    at least 0.450 of the floor: 0.460',
      'met    at least 0.333 of nginx auth_request + limit_req: 0.354',
      'met    at least 1.000 of Fastify: 1.150',
      'met    at most 3.00 ms of p99 at half load over the floor: 2.500',
      'met    at most 1.05 times the CPU a request for ten times the keys: 1.000',
      'met    at most 300.00 bytes of memory a key in use: 200.000',
    ]);
  });

  test.each([
    ['a faster floor', fieldOf({ floor: 10_300 }), 'at least 0.450 of the floor: 0.447'],
    ['a faster nginx', fieldOf({ nginx: 13_900 }), 'at least 0.333 of nginx auth_request + limit_req: 0.331'],
    ['a faster Node peer', fieldOf({ fastify: 4_700 }), 'at least 1.000 of Fastify: 0.979'],
    [
      'an earlier floor',
      fieldOf({ floorP99Ms: 0.4 }),
      'at most 3.00 ms of p99 at half load over the floor: 3.100',
    ],
  ])('%s is a goal missed', (_, results, line) => {
    expect(missed(results)).toEqual([`MISSED ${line}`]);
  });

  test('what grows with keys is a goal missed', () => {
    expect(missed(fieldOf({}), growth([100, 110, 121], [150_000, 150_000, 150_000]))).toEqual([
      'MISSED at most 1.05 times the CPU a request for ten times the keys: 1.100',
    ]);
    expect(missed(fieldOf({}), growth([100, 100, 100], [150_000, 150_000, 180_690]))).toEqual([
      'MISSED at most 300.00 bytes of memory a key in use: 310.000',
    ]);
  });

  test('who was not measured is not judged', () => {
    const [floor] = fieldOf({});
    const goals = judgeEdge(gateway, floor === undefined ? [] : [floor], flat.slice(0, 1));
    expect(goals.map(({ asked }) => asked)).toEqual([
      'at least 0.450 of the floor',
      'at most 3.00 ms of p99 at half load over the floor',
    ]);
  });
});
