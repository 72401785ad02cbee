export { buildGoTool } from './build-go-tool.ts';
export {
  splitByKind,
  stacksOf,
  topFunctions,
  type CpuProfile,
  type SelfTime,
  type Stack,
} from './cpu-profile.ts';
export { flameGraph } from './flame-graph.ts';
export { samplesInPeace } from './in-peace.ts';
export { heapInUse, openInspector, type Inspector } from './inspector.ts';
export {
  cpuMsByName,
  cpuMsOfTree,
  cpuMsSpentHere,
  othersMost,
  privateBytesByName,
  requireQuiet,
  residentBytesOfTree,
  watchHost,
  watchMachine,
  type MachineUse,
} from './machine.ts';
export { barChart, growthChart, lineChart, type Bar, type Growth, type Line } from './plot.ts';
export { growthText, median, quantile, slopePerDecade } from './statistics.ts';
