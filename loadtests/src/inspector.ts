import { openInspector, type CpuProfile } from '@bv/measure';

export type CpuUse = { profile: CpuProfile; cpuUs: number };

/**
 * Profiles the main thread of a process while `work` runs. `cpuUs` is the CPU time by the kernel in microseconds:
 * samples include waits for a processor and exclude socket reads.
 */
export async function profileCpu(inspectorPort: number, work: () => Promise<void>): Promise<CpuUse> {
  const { call, close } = await openInspector(inspectorPort);
  const cpuUs = async (): Promise<number> => {
    const expression = 'Object.values(process.threadCpuUsage()).reduce((sum, us) => sum + us)';
    const { result } = (await call('Runtime.evaluate', { expression })) as { result: { value: number } };
    if (typeof result.value !== 'number') throw new Error('the process does not report its CPU time');
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
