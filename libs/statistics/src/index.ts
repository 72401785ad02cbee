export { type CellSums, type Metric } from './cells.ts';
export { isChangeAt } from './change-confidence.ts';
export { effectiveSampleSize, intraClusterCorrelation, type Cluster } from './clusters.ts';
export {
  compareCells,
  type ComparedCell,
  type ComparedWindow,
  type Comparison,
  type Reason,
  roundingError,
  type Verdict,
} from './compare-cells.ts';
export { haveModelsChanged, type ServedModels } from './model-sets.ts';
export { type Interval, wilsonInterval } from './wilson-interval.ts';
export { windowRates, type WindowRates } from './window-rates.ts';
