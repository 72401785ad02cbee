import type { ScoredScan } from './scored-scan.ts';

export type Metric = 'score' | 'sentiment';

/** All subscriptions of a partner to one threshold of a brand's series share one state. */
export type ThresholdKey = {
  partnerId: string;
  metric: Metric;
  country: string | null;
  threshold: number;
};

/** The stored state of a threshold. `value` is that of the last event, or of the first evaluation. */
export type ThresholdState = ThresholdKey & {
  value: number | null;
  runDate: string | null;
  /** Whether a scan with a newer change token was already evaluated. */
  isSuperseded: boolean;
};

/** The part of a state that an evaluation stores. */
export type EvaluatedThreshold = ThresholdKey & { value: number | null; runDate: string };

export type Crossing = {
  direction: 'up' | 'down';
  previous: number;
  current: number;
  runDate: string;
};

export const toThresholdText = ({ partnerId, metric, country, threshold }: ThresholdKey): string =>
  [partnerId, metric, country ?? '', threshold].join(' ');

type Reading = { runDate: string; value: number | null; earlier: number | null };

/**
 * Returns the values of the newest day of the series. Undefined when the series has no day or a newer one was
 * evaluated.
 */
function readingFor(scan: ScoredScan, state: ThresholdState): Reading | undefined {
  const newest = scan.newest_days.find(({ country }) => country === state.country);
  if (newest === undefined) return undefined;
  return { runDate: newest.run_date, ...newest[state.metric] };
}

/** Returns the values to store and the crossing to report. Undefined when the scan does not change the state. */
export function evaluateThreshold(
  scan: ScoredScan,
  state: ThresholdState,
): { evaluated: EvaluatedThreshold; crossing: Crossing | null } | undefined {
  const reading = readingFor(scan, state);
  if (state.isSuperseded || reading === undefined) return undefined;
  const { runDate, value: current } = reading;
  const { partnerId, metric, country, threshold } = state;
  const evaluated = { partnerId, metric, country, threshold, runDate };
  if (current === null) return { evaluated: { ...evaluated, value: state.value }, crossing: null };
  const previous = state.value ?? reading.earlier ?? current;
  const direction = crossedDirection(previous, current, threshold);
  if (direction === null)
    return { evaluated: { ...evaluated, value: state.value ?? current }, crossing: null };
  return {
    evaluated: { ...evaluated, value: current },
    crossing: { direction, previous, current, runDate },
  };
}

/** Up: previous < T <= current. Down: previous >= T > current. */
export function crossedDirection(previous: number, current: number, threshold: number): 'up' | 'down' | null {
  if (previous < threshold && current >= threshold) return 'up';
  if (previous >= threshold && current < threshold) return 'down';
  return null;
}
