import { slopePerDecade } from '@bv/measure';
import { baselineName } from './targets.ts';
import {
  differenceOf,
  fullOf,
  growthOf,
  halfOf,
  ratioOf,
  type GrowthSamples,
  type Result,
} from './report-edge.ts';

export type Objective = { target: string; measured: string; met: boolean };

/** Minimum shares of the requests per second of the bare proxy, and of nginx with `auth_request`. */
const shareOfBaseline = 0.45;
const shareOfNginx = 1 / 3;
const addedP99Ms = 3;
/** A smaller growth per decade of keys is not measurable. */
const maxSlope = 1.05;

/** Checks the gateway against its peers. Targets that were not measured are skipped. */
export function checkShares(gateway: Result, results: readonly Result[]): Objective[] {
  const shareOf = (name: string): number | undefined => {
    const peer = results.find(({ target }) => target.name === name);
    return peer && ratioOf(fullOf(gateway), fullOf(peer), 'rps');
  };
  const baseline = results.find(({ target }) => target.name === baselineName);
  const addedMs = baseline && differenceOf(halfOf(gateway), halfOf(baseline), 'p99Ms');
  const objectives = [
    noLessThan('of the baseline', shareOfBaseline, shareOf(baselineName)),
    noLessThan('of nginx auth_request + limit_req', shareOfNginx, shareOf('nginx auth_request + limit_req')),
    ...results
      .filter(({ target }) => target.onNode === true)
      .map(({ target: { name } }) => noLessThan(`of ${name}`, 1, shareOf(name))),
    noMoreThan('ms of p99 at half load over the baseline', addedP99Ms, addedMs),
  ];
  return objectives.flatMap((objective) => objective ?? []);
}

export function checkGrowth(growth: GrowthSamples): Objective[] {
  if (growth.length < 2) return [];
  const slope = slopePerDecade(growthOf(growth, 'cpuUs'));
  const objective = noMoreThan('times the CPU a request for ten times the keys', maxSlope, slope);
  return objective === undefined ? [] : [objective];
}

function noLessThan(what: string, min: number, value: number | undefined): Objective | undefined {
  if (value === undefined) return undefined;
  return { target: `at least ${min.toFixed(3)} ${what}`, measured: value.toFixed(3), met: value >= min };
}

function noMoreThan(what: string, max: number, value: number | undefined): Objective | undefined {
  if (value === undefined) return undefined;
  return { target: `at most ${max.toFixed(2)} ${what}`, measured: value.toFixed(3), met: value <= max };
}

export const objectiveLine = ({ target, measured, met }: Objective): string =>
  `${met ? 'met   ' : 'MISSED'} ${target}: ${measured}`;
