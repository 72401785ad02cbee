import type { AnswerRecord } from './record.ts';
import type { RunLog } from './read-records.ts';
import type { Violations } from './violations.ts';

/** The parts of k6's summary that are read here. */
export type K6Summary = {
  metrics: Record<string, { values: Record<string, number>; thresholds?: Record<string, { ok: boolean }> }>;
};

export type RunRules = {
  /** Statuses in addition to 2xx that are correct in this scenario. */
  expected: readonly number[];
  /**
   * Requests that could not be sent at their time say nothing of the answers to the others; and a few that could not
   * be counted in time are refused as promised, where the machine held up Redis or whoever asked it.
   */
  slowMachine: boolean;
  /** How many there must be in the summary. */
  objectives: number;
};

/** Objectives and requests that k6 could not send are checked by its summary. */
const judged = /^(thresholds on metrics|Insufficient VUs)/;

/** Of all answers; a limiter that is often away is not excused. */
const maxUncounted = 0.02;

/** What makes any run worthless: answers lost on the way to the log, requests never sent or never answered, errors. */
export function checkRun(log: RunLog, summary: K6Summary, rules: RunRules, violations: Violations): void {
  if (log.records.length === 0) violations.add('requests are sent', 'there was none');
  // k6 reports a failing script there and continues.
  for (const note of log.notes) if (!judged.test(note)) violations.add('k6 has nothing to say', note);
  const sent = summary.metrics['http_reqs']?.values['count'] ?? 0;
  if (sent !== log.records.length) {
    violations.add('every request is in the log', `${sent} sent, ${log.records.length} logged`);
  }
  const dropped = summary.metrics['dropped_iterations']?.values['count'] ?? 0;
  if (dropped > 0 && !rules.slowMachine) violations.add('every request due was sent', `${dropped} were not`);
  checkAnswers(log.records, rules, violations);
  checkObjectives(summary, rules.objectives, violations);
}

function checkObjectives(summary: K6Summary, wanted: number, violations: Violations): void {
  const measured = objectivesOf(summary);
  for (const { metric, asked, value, ok } of measured) {
    // k6 takes a figure of no sample for 0, which meets every objective.
    if (!ok || value === undefined || value === 0)
      violations.add(
        'every objective is met',
        `${metric}: ${asked}, was ${value ? value.toFixed(1) : 'not measured'}`,
      );
  }
  const missing = wanted - measured.length;
  if (missing !== 0) violations.add('every objective is measured', `${missing} were not`);
}

function checkAnswers(records: readonly AnswerRecord[], rules: RunRules, violations: Violations): void {
  const excused = new Set(rules.slowMachine ? records.filter(isUncounted) : []);
  if (excused.size > records.length * maxUncounted) {
    violations.add('few requests cannot be counted', `${excused.size} of ${records.length}`);
  }
  for (const record of records) {
    const { status } = record;
    if (status === 0) violations.add('every request is answered', describe(record));
    else if (status >= 300 && !rules.expected.includes(status) && !excused.has(record)) {
      violations.add('no answer is an error', describe(record));
    }
  }
}

/** Refused, with word of when to come back, because it could not be counted. */
export function isUncounted({ status, code, retryAfter }: AnswerRecord): boolean {
  return status === 503 && code === 'rate_limit_unavailable' && retryAfter !== null;
}

export type Objective = { metric: string; asked: string; value: number | undefined; ok: boolean };

/** The objectives of a run, such as `p(99)<250`, and the measured values. */
export function objectivesOf({ metrics }: K6Summary): Objective[] {
  return Object.entries(metrics).flatMap(([metric, { values, thresholds = {} }]) =>
    Object.entries(thresholds).map(([asked, { ok }]) => {
      const value = values[asked.split('<', 1)[0] ?? ''];
      return { metric, asked, value, ok };
    }),
  );
}

export function describe(record: AnswerRecord): string {
  const { phase, key, gateway, status, code, startMs, durationMs } = record;
  const at = new Date(startMs).toISOString();
  const name = code === null ? '' : ` ${code}`;
  return `${phase}, key ${key}, gateway ${gateway}: ${status}${name} at ${at} after ${durationMs.toFixed(0)} ms`;
}
