import type { ScoredScan } from './scored-scan.ts';

export type Metric = 'score' | 'sentiment';

/** All subscriptions of a partner to one threshold of a brand's series share one state. */
export type ThresholdKey = {
  partnerId: string;
  metric: Metric;
  country: string | null;
  threshold: number;
};

/** What is stored of a threshold. `value` is of the last event or of the first evaluation. */
export type ThresholdState = ThresholdKey & {
  value: number | null;
  runDate: string | null;
  /** Whether a scan scored later than this one was evaluated before. */
  isSuperseded: boolean;
};

/** What evaluating a scan stores of a threshold. */
export type Evaluated = ThresholdKey & { value: number | null; runDate: string };

export type Crossing = {
  direction: 'up' | 'down';
  previous: number;
  current: number;
  runDate: string;
  /** Nothing was stored before: the latest earlier run_date counted as reported. */
  isFirst: boolean;
};

export const thresholdText = ({ partnerId, metric, country, threshold }: ThresholdKey): string =>
  [partnerId, metric, country ?? '', threshold].join(' ');

type Reading = { runDate: string; value: number | null; earlier: number | null };

/** The figures that a threshold is compared with, whichever markets were scanned; undefined without a day of its series. */
function readingFor(scan: ScoredScan, state: ThresholdState): Reading | undefined {
  if (scan.newest_days === undefined) {
    const scored = scan.series.find(({ country }) => country === state.country);
    // The scored day stands for the newest one unless a newer day was evaluated.
    if (scored === undefined || scan.run_date < (state.runDate ?? '')) return undefined;
    const { value, previous } = scored[state.metric];
    return { runDate: scan.run_date, value, earlier: previous };
  }
  const newest = scan.newest_days.find(({ country }) => country === state.country);
  if (newest === undefined) return undefined;
  return { runDate: newest.run_date, ...newest[state.metric] };
}

/** What to store after this scan, and the crossing to report; undefined when the scan changes nothing here. */
export function evaluateThreshold(
  scan: ScoredScan,
  state: ThresholdState,
): { evaluated: Evaluated; crossing: Crossing | null } | undefined {
  const reading = readingFor(scan, state);
  const isFirst = state.value === null;
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
    crossing: { direction, previous, current, runDate, isFirst },
  };
}

/** Up: previous < T <= current. Down: previous >= T > current. */
export function crossedDirection(previous: number, current: number, threshold: number): 'up' | 'down' | null {
  if (previous < threshold && current >= threshold) return 'up';
  if (previous >= threshold && current < threshold) return 'down';
  return null;
}
