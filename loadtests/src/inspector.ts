import { openInspector, type CpuProfile } from '@bv/measure';

export type Profiled = { profile: CpuProfile; cpuUs: number };

/**
 * What the main thread of a process spends its CPU on while something is done, and how much as the kernel counts it:
 * between samples the thread may wait for a processor, and reading sockets is not seen in them.
 */
export async function profileCpu(inspectorPort: number, work: () => Promise<void>): Promise<Profiled> {
  const { call, close } = await openInspector(inspectorPort);
  const cpuUs = async (): Promise<number> => {
    const expression = 'Object.values(process.threadCpuUsage()).reduce((sum, us) => sum + us)';
    const { result } = (await call('Runtime.evaluate', { expression })) as { result: { value: number } };
    if (typeof result.value !== 'number') throw new Error('the process does not tell its CPU');
    return result.value;
  };
  await call('Profiler.enable');
  await call('Profiler.setSamplingInterval', { interval: 500 });
  await call('Profiler.start');
  const before = await cpuUs();
  await work();
  const spentUs = (await cpuUs()) - before;
  const { profile } = (await call('Profiler.stop')) as { profile: CpuProfile };
  close();
  return { profile, cpuUs: spentUs };
}
