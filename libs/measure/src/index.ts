export {
  cpuMsOfTree,
  cpuMsSpentHere,
  residentBytesOfTree,
  watchMachine,
  type MachineUse,
} from './machine.ts';
export { barChart, lineChart, type Bar, type Line } from './plot.ts';
export { median, quantile, slopePerDecade } from './statistics.ts';
