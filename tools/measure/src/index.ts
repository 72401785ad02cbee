export { forceOption, readBenchOptions } from './bench-options.ts';
export { buildGoTool } from './build-go-tool.ts';
export { measureRounds, pairRounds, ratioText } from './rounds.ts';
export { createSampler, otherLoadText, type Sampler } from './sampler.ts';
export {
  cpuMsByName,
  cpuMsOfTree,
  ownCpuMs,
  maxOtherShare,
  privateBytesByName,
  checkIdleMachine,
  residentBytesOfTree,
  startUse,
  watchCpuSteal,
  watchMachine,
  type MachineUse,
} from './machine.ts';
export { measurePairs, medianRatio, type Pair } from './pairs.ts';
export { growthText, median, quantile, slopePerDecade } from './statistics.ts';
