export { type CellSums, type ComparedCell, type ComparedWindow, type Metric } from './cells.ts';
export { type ArmSeries, type CellPeriod, createArmSeries, type Periods } from './arm-series.ts';
export type { Arms } from './arms.ts';
export { isChangeAt } from './change-confidence.ts';
export { effectiveSampleSize, intraClusterCorrelation, type Cluster } from './clusters.ts';
export { compareCells, type ComparedBy, type Comparison, roundingError } from './compare-cells.ts';
export { type Coverage, type Estimate, estimateCoverage, type Incidence } from './coverage.ts';
export { decideChanges } from './false-discovery.ts';
export {
  type ArmFigures,
  estimateExperiment,
  type ExperimentEstimate,
  smallestDetectableEffect,
} from './experiment.ts';
export { type DayShare, type DaySize, hasShareDrifted, hasSizeDrifted } from './drift.ts';
export {
  changeDays,
  measurePrecision,
  type Precision,
  type PrecisionInput,
  type Spread,
} from './precision.ts';
export { type ObservedCell } from './variance-components.ts';
export { positionBounds, rateBounds, shareBounds } from './slice-bounds.ts';
export { haveSetsChanged } from './value-sets.ts';
export { type Interval, wilsonInterval } from './wilson-interval.ts';
export { windowRates, type WindowRates } from './window-rates.ts';
