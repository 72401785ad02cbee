import { slopePerDecade } from '@bv/measure';
import { floorName } from './contenders.ts';
import type { GrowthSamples, Result } from './report-edge.ts';

export type Goal = { asked: string; measured: string; met: boolean };

/** Of the requests a second of the bare proxy, and of nginx that asks an authorizer and limits. */
const shareOfFloor = 0.45;
const shareOfNginx = 1 / 3;
const addedP99Ms = 3;
/** A cost that grows by less each time there are ten times as many keys cannot be told from none. */
const slopeMost = 1.05;
/** After full collections. A hundred thousand keys then take a tenth of what the gateway holds while it works. */
const bytesPerKeyMost = 300;

/** What is asked of the gateway at the edge, of a run's medians. Who was not measured is not judged. */
export function judgeEdge(gateway: Result, results: readonly Result[], growth: GrowthSamples): Goal[] {
  const rateBeside = (name: string): number | undefined => {
    const peer = results.find(({ contender }) => contender.name === name);
    return peer && gateway.full.rps / peer.full.rps;
  };
  const floor = results.find(({ contender }) => contender.name === floorName);
  const addedMs = floor && gateway.half.p99Ms - floor.half.p99Ms;
  const goals = [
    atLeast('of the floor', shareOfFloor, rateBeside(floorName)),
    atLeast('of nginx auth_request + limit_req', shareOfNginx, rateBeside('nginx auth_request + limit_req')),
    ...results
      .filter(({ contender }) => contender.onNode === true)
      .map(({ contender: { name } }) => atLeast(`of ${name}`, 1, rateBeside(name))),
    atMost('ms of p99 at half load over the floor', addedP99Ms, addedMs),
  ];
  return [...goals.flatMap((goal) => goal ?? []), ...judgeGrowth(growth)];
}

function judgeGrowth(growth: GrowthSamples): Goal[] {
  const [first, last] = [growth[0], growth.at(-1)];
  if (first === undefined || first === last) return [];
  const slope = slopePerDecade(growth.map(({ keys, sample }) => ({ size: keys, cost: sample.cpuUs })));
  const bytesPerKey = last && (last.neededBytes - first.neededBytes) / (last.keys - first.keys);
  return [
    atMost('times the CPU a request for ten times the keys', slopeMost, slope),
    atMost('bytes of memory a key in use', bytesPerKeyMost, bytesPerKey),
  ].flatMap((goal) => goal ?? []);
}

function atLeast(what: string, least: number, value: number | undefined): Goal | undefined {
  if (value === undefined) return undefined;
  return { asked: `at least ${least.toFixed(3)} ${what}`, measured: value.toFixed(3), met: value >= least };
}

function atMost(what: string, most: number, value: number | undefined): Goal | undefined {
  if (value === undefined) return undefined;
  return { asked: `at most ${most.toFixed(2)} ${what}`, measured: value.toFixed(3), met: value <= most };
}

export const goalLine = ({ asked, measured, met }: Goal): string =>
  `${met ? 'met   ' : 'MISSED'} ${asked}: ${measured}`;
