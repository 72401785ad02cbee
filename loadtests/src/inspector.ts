import { openInspector, type CpuProfile } from '@bv/measure';

/** What a process spends its CPU on while something is done. */
export async function profileCpu(inspectorPort: number, work: () => Promise<void>): Promise<CpuProfile> {
  const { call, close } = await openInspector(inspectorPort);
  await call('Profiler.enable');
  await call('Profiler.setSamplingInterval', { interval: 500 });
  await call('Profiler.start');
  await work();
  const { profile } = (await call('Profiler.stop')) as { profile: CpuProfile };
  close();
  return profile;
}
