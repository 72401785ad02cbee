import { describe, expect, test } from '@jest/globals';
import { checkRun, type K6Summary } from './check-run.ts';
import type { ResponseRecord } from './record.ts';
import { createViolations } from './violations.ts';

const response = (status: number): ResponseRecord => ({
  phase: 'p',
  key: 0,
  gateway: 0,
  user: 1,
  startMs: 0,
  endMs: 1,
  durationMs: 1,
  status,
  code: null,
  date: 0,
  limit: null,
  remaining: null,
  reset: null,
  retryAfter: null,
});

const summary = (sent: number, over: K6Summary['metrics'] = {}): K6Summary => ({
  metrics: { http_reqs: { values: { count: sent } }, ...over },
});

const timed = (values: Record<string, number>, ok: boolean): K6Summary['metrics'] => ({
  d: { values, thresholds: { 'p(99)<1': { ok } } },
});

function findBrokenRules(statuses: number[], summary: K6Summary, slowMachine = false): string[] {
  const violations = createViolations();
  const objectives = Object.values(summary.metrics).flatMap(({ thresholds = {} }) =>
    Object.keys(thresholds),
  ).length;
  const rules = { expected: [429], slowMachine, objectives };
  checkRun({ records: statuses.map(response), notes: [] }, summary, rules, violations);
  return violations.list().map(({ rule }) => rule);
}

describe('a valid run', () => {
  test('has every response, and no errors', () => {
    expect(findBrokenRules([200, 201, 429], summary(3))).toEqual([]);
  });

  test.each<[string, string[]]>([
    ['lost', findBrokenRules([200], summary(2))],
    ['unanswered', findBrokenRules([200, 0], summary(2))],
    ['error', findBrokenRules([200, 503], summary(2))],
    ['dropped', findBrokenRules([200], summary(1, { dropped_iterations: { values: { count: 1 } } }))],
    ['slow', findBrokenRules([200], summary(1, timed({ 'p(99)': 2 }, false)))],
    ['not measured', findBrokenRules([200], summary(1, timed({ 'p(99)': 0 }, true)))],
    ['nothing was sent', findBrokenRules([], summary(0))],
  ])('fails for one request: %s', (_name, rules) => {
    expect(rules).toHaveLength(1);
  });

  test('on a slow machine a few uncounted requests are accepted, many or other errors are not', () => {
    const findRules = (uncounted: number, over: Partial<ResponseRecord> = {}): string[] => {
      const refused = { ...response(503), code: 'rate_limit_unavailable', retryAfter: 1, ...over };
      const records = [
        ...Array<ResponseRecord>(100).fill(response(200)),
        ...Array.from({ length: uncounted }, () => ({ ...refused })),
      ];
      const violations = createViolations();
      const rules = { expected: [429], slowMachine: true, objectives: 0 };
      checkRun({ records, notes: [] }, summary(records.length), rules, violations);
      return violations.list().map(({ rule }) => rule);
    };
    expect(findRules(2)).toEqual([]);
    expect(findRules(10)).toEqual(['few requests are uncounted']);
    expect(findRules(1, { retryAfter: null })).toEqual(['no response is an error']);
    expect(findRules(1, { code: 'api_unavailable' })).toEqual(['no response is an error']);
  });

  test('a missing objective and a failed script are reported', () => {
    const violations = createViolations();
    const rules = { expected: [], slowMachine: false, objectives: 1 };
    const notes = ['TypeError: no such thing', "thresholds on metrics 'd' have been crossed"];
    checkRun({ records: [response(200)], notes }, summary(1), rules, violations);
    expect(violations.list()).toMatchObject([
      { rule: 'k6 reports no problem', count: 1 },
      { rule: 'every objective is measured', count: 1 },
    ]);
  });

  test('without time checks a dropped request is no violation', () => {
    const dropped = summary(1, { dropped_iterations: { values: { count: 1 } } });
    expect(findBrokenRules([200], dropped, true)).toEqual([]);
  });
});
