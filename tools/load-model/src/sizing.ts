import type { Figures } from './figures.ts';

/** Demand and processes of an installation, by the formulas of the page. */
export type Sizing = {
  organisations: number;
  unitsPerSecond: number;
  unitsPerDay: number;
  requestsPerSecond: number;
  deliveriesPerSecond: number;
  processes: { gateway: number; catalog: number; results: number; workers: number };
  allProcesses: number;
  connections: number;
};

/** Of scans, webhooks and dispatchers, for failures. */
export const redundant = 2;
const redundantServices = 3;

export function toSizing(figures: Figures, organisations: number): Sizing {
  const { milliseconds, target, connections: perProcess } = figures;
  const unitsPerDay = organisations * figures.brands * figures.unitsPerScan;
  const unitsPerSecond = unitsPerDay / figures.arrivalSeconds;
  const requestsPerSecond = ((organisations * figures.requests) / 86_400) * figures.peakFactor;
  const toProcesses = (ms: number): number =>
    Math.max(redundant, Math.ceil((requestsPerSecond * ms) / 1_000 / target + 1));
  const processes = {
    gateway: toProcesses(milliseconds.gateway),
    catalog: toProcesses(milliseconds.catalog),
    results: toProcesses(milliseconds.results),
    workers: Math.max(
      redundant,
      Math.ceil((unitsPerSecond * figures.answerSeconds) / figures.workerConcurrency),
    ),
  };
  const { gateway, catalog, results, workers } = processes;
  return {
    organisations,
    unitsPerDay,
    unitsPerSecond,
    requestsPerSecond,
    deliveriesPerSecond: (organisations * figures.brands * figures.subscriptions) / figures.arrivalSeconds,
    processes,
    allProcesses: gateway + catalog + results + workers + redundantServices * redundant,
    connections:
      perProcess.gateway * gateway +
      perProcess.scans * (workers + redundant) +
      perProcess.other * (catalog + results + 2 * redundant),
  };
}
