import { cpuMsOfTree, ownCpuMs, residentBytesOfTree } from '@bv/measure';
import type { Target, Field } from './targets.ts';
import { runLoad, type Load, type LoadOptions } from './load.ts';
import type { Programs } from './programs.ts';

export type Sample = Load & {
  rps: number;
  /** CPU of the target's own processes, microseconds a request. */
  cpuUs: number;
  /** The same including Redis and Postgres. */
  allCpuUs: number;
  megabytes: number;
};

type Measuring = { programs: Programs; field: Field };

const cpuOf = (target: Target): number => target.servers.reduce((sum, { pid }) => sum + cpuMsOfTree(pid), 0);

export async function measureOnce(
  { programs, field }: Measuring,
  target: Target,
  load: Omit<LoadOptions, 'ports' | 'path'>,
): Promise<Sample> {
  const others = (): number => cpuMsOfTree(process.pid) - cpuMsOfTree(field.upstream.pid) - ownCpuMs();
  const before = { own: cpuOf(target), all: others() };
  const ports = target.servers.map(({ port }) => port);
  const done = await runLoad(programs, { ...load, ports, path: field.path });
  const perRequest = (ms: number): number => (ms * 1_000) / done.requests;
  return {
    ...done,
    rps: done.requests / done.seconds,
    cpuUs: perRequest(cpuOf(target) - before.own),
    allCpuUs: perRequest(others() - before.all),
    megabytes: target.servers.reduce((sum, { pid }) => sum + residentBytesOfTree(pid), 0) / 1_048_576,
  };
}
