import type { ResponseRecord } from './record.ts';
import type { RunLog } from './read-records.ts';
import type { Violations } from './violations.ts';

/** The fields of k6's summary that are used. */
export type K6Summary = {
  metrics: Record<string, { values: Record<string, number>; thresholds?: Record<string, { ok: boolean }> }>;
};

export type RunRules = {
  /** Statuses in addition to 2xx that are correct in this scenario. */
  expected: readonly number[];
  /**
   * On a slow machine k6 may drop requests, which says nothing about the other responses. A few requests may be refused
   * with `rate_limit_unavailable`, because Redis or a gateway was delayed.
   */
  slowMachine: boolean;
  /** Number of objectives that the summary must contain. */
  objectives: number;
};

/** Notes of k6 that its summary contains too. */
const checkedInSummary = /^(thresholds on metrics|Insufficient VUs)/;

/** Maximum share of uncounted requests. */
const maxUncounted = 0.02;

/** Checks of every run: responses missing in the log, requests not sent or without response, errors. */
export function checkRun(log: RunLog, summary: K6Summary, rules: RunRules, violations: Violations): void {
  if (log.records.length === 0) violations.add('requests are sent', 'no request was sent');
  // k6 reports a failing script there and continues.
  for (const note of log.notes)
    if (!checkedInSummary.test(note)) violations.add('k6 reports no problem', note);
  const sent = summary.metrics['http_reqs']?.values['count'] ?? 0;
  if (sent !== log.records.length) {
    violations.add('every request is in the log', `${sent} sent, ${log.records.length} logged`);
  }
  const dropped = summary.metrics['dropped_iterations']?.values['count'] ?? 0;
  if (dropped > 0 && !rules.slowMachine) violations.add('every request due was sent', `${dropped} dropped`);
  checkResponses(log.records, rules, violations);
  checkObjectives(summary, rules.objectives, violations);
}

function checkObjectives(summary: K6Summary, expectedCount: number, violations: Violations): void {
  const measured = objectivesOf(summary);
  for (const { metric, target, value, ok } of measured) {
    // k6 reports 0 for a metric without samples, which would meet every objective.
    if (!ok || value === undefined || value === 0)
      violations.add(
        'every objective is met',
        `${metric}: ${target}, was ${value ? value.toFixed(1) : 'not measured'}`,
      );
  }
  const missing = expectedCount - measured.length;
  if (missing !== 0) violations.add('every objective is measured', `${missing} were not`);
}

function checkResponses(records: readonly ResponseRecord[], rules: RunRules, violations: Violations): void {
  const excused = new Set(rules.slowMachine ? records.filter(isUncounted) : []);
  if (excused.size > records.length * maxUncounted) {
    violations.add('few requests are uncounted', `${excused.size} of ${records.length}`);
  }
  for (const record of records) {
    const { status } = record;
    if (status === 0) violations.add('every request gets a response', describe(record));
    else if (status >= 300 && !rules.expected.includes(status) && !excused.has(record)) {
      violations.add('no response is an error', describe(record));
    }
  }
}

/** Whether a request was refused with Retry-After because it could not be counted. */
export function isUncounted({ status, code, retryAfter }: ResponseRecord): boolean {
  return status === 503 && code === 'rate_limit_unavailable' && retryAfter !== null;
}

export type Objective = { metric: string; target: string; value: number | undefined; ok: boolean };

/** The objectives of a run, such as `p(99)<250`, and the measured values. */
export function objectivesOf({ metrics }: K6Summary): Objective[] {
  return Object.entries(metrics).flatMap(([metric, { values, thresholds = {} }]) =>
    Object.entries(thresholds).map(([target, { ok }]) => {
      const value = values[target.split('<', 1)[0] ?? ''];
      return { metric, target, value, ok };
    }),
  );
}

export function describe(record: ResponseRecord): string {
  const { phase, key, gateway, status, code, startMs, durationMs } = record;
  const at = new Date(startMs).toISOString();
  const name = code === null ? '' : ` ${code}`;
  return `${phase}, key ${key}, gateway ${gateway}: ${status}${name} at ${at} after ${durationMs.toFixed(0)} ms`;
}
