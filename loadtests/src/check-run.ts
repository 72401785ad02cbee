import type { AnswerRecord } from './record.ts';
import type { RunLog } from './read-records.ts';
import type { Violations } from './violations.ts';

/** The parts of k6's summary that are read here. */
export type K6Summary = {
  metrics: Record<string, { values: Record<string, number>; thresholds?: Record<string, { ok: boolean }> }>;
};

export type RunRules = {
  /** Statuses beside 2xx that are right in this scenario. */
  expected: readonly number[];
  /** Requests that could not be sent at their time say nothing of the answers to the others. */
  slowMachine: boolean;
};

/** What makes any run worthless: answers lost on the way to the log, requests never sent or never answered, errors. */
export function checkRun(log: RunLog, summary: K6Summary, rules: RunRules, violations: Violations): void {
  const sent = summary.metrics['http_reqs']?.values['count'] ?? 0;
  if (sent !== log.records.length) {
    violations.add('every request is in the log', `${sent} sent, ${log.records.length} logged`);
  }
  const dropped = summary.metrics['dropped_iterations']?.values['count'] ?? 0;
  if (dropped > 0 && !rules.slowMachine) violations.add('every request due was sent', `${dropped} were not`);
  for (const record of log.records) {
    const { status } = record;
    if (status === 0) violations.add('every request is answered', describe(record));
    else if (status >= 300 && !rules.expected.includes(status)) {
      violations.add('no answer is an error', describe(record));
    }
  }
  for (const objective of missed(summary)) violations.add('every objective is met', objective);
}

function missed({ metrics }: K6Summary): string[] {
  return Object.entries(metrics).flatMap(([metric, { thresholds = {} }]) =>
    Object.entries(thresholds).flatMap(([threshold, { ok }]) => (ok ? [] : [`${metric}: ${threshold}`])),
  );
}

export function describe(record: AnswerRecord): string {
  const { phase, key, gateway, status, code, startMs, durationMs } = record;
  const at = new Date(startMs).toISOString();
  const name = code === null ? '' : ` ${code}`;
  return `${phase}, key ${key}, gateway ${gateway}: ${status}${name} at ${at} after ${durationMs.toFixed(0)} ms`;
}
