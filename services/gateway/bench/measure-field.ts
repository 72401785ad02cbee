import { cpuMsOfTree, cpuMsSpentHere, median, residentBytesOfTree } from '@bv/measure';
import type { Contender, Field } from './contenders.ts';
import { runLoad, type Load, type LoadOptions } from './load.ts';
import type { Programs } from './programs.ts';

export type Sample = Load & {
  rps: number;
  /** CPU of the contender's own processes, microseconds a request. */
  cpuUs: number;
  /** The same with what it makes Redis and Postgres do. */
  allCpuUs: number;
  megabytes: number;
};

type Measuring = { programs: Programs; field: Field };

const cpuOf = (contender: Contender): number =>
  contender.servers.reduce((sum, { pid }) => sum + cpuMsOfTree(pid), 0);

export async function measureOnce(
  { programs, field }: Measuring,
  contender: Contender,
  load: Omit<LoadOptions, 'ports' | 'path'>,
): Promise<Sample> {
  const others = (): number => cpuMsOfTree(process.pid) - cpuMsOfTree(field.upstream.pid) - cpuMsSpentHere();
  const before = { own: cpuOf(contender), all: others() };
  const ports = contender.servers.map(({ port }) => port);
  const done = await runLoad(programs, { ...load, ports, path: field.path });
  const perRequest = (ms: number): number => (ms * 1_000) / done.requests;
  return {
    ...done,
    rps: done.requests / done.seconds,
    cpuUs: perRequest(cpuOf(contender) - before.own),
    allCpuUs: perRequest(others() - before.all),
    megabytes: contender.servers.reduce((sum, { pid }) => sum + residentBytesOfTree(pid), 0) / 1_048_576,
  };
}

export function medianSample(samples: readonly Sample[]): Sample {
  const of = (field: keyof Sample): number => median(samples.map((sample) => sample[field]));
  return {
    requests: of('requests'),
    seconds: of('seconds'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    failed: samples.reduce((sum, { failed }) => sum + failed, 0),
    rps: of('rps'),
    cpuUs: of('cpuUs'),
    allCpuUs: of('allCpuUs'),
    megabytes: of('megabytes'),
  };
}
