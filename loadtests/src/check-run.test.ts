import { describe, expect, test } from '@jest/globals';
import { checkRun, type K6Summary } from './check-run.ts';
import type { AnswerRecord } from './record.ts';
import { createViolations } from './violations.ts';

const answer = (status: number): AnswerRecord => ({
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

function rulesBroken(statuses: number[], summary: K6Summary, slowMachine = false): string[] {
  const violations = createViolations();
  const objectives = Object.values(summary.metrics).flatMap(({ thresholds = {} }) =>
    Object.keys(thresholds),
  ).length;
  const rules = { expected: [429], slowMachine, objectives };
  checkRun({ records: statuses.map(answer), notes: [] }, summary, rules, violations);
  return violations.list().map(({ rule }) => rule);
}

describe('a run that is worth something', () => {
  test('has every answer, and none of them an error', () => {
    expect(rulesBroken([200, 201, 429], summary(3))).toEqual([]);
  });

  test.each<[string, string[]]>([
    ['lost', rulesBroken([200], summary(2))],
    ['unanswered', rulesBroken([200, 0], summary(2))],
    ['error', rulesBroken([200, 503], summary(2))],
    ['dropped', rulesBroken([200], summary(1, { dropped_iterations: { values: { count: 1 } } }))],
    ['slow', rulesBroken([200], summary(1, timed({ 'p(99)': 2 }, false)))],
    ['not measured', rulesBroken([200], summary(1, timed({ 'p(99)': 0 }, true)))],
    ['nothing was sent', rulesBroken([], summary(0))],
  ])('fails for one request: %s', (_name, rules) => {
    expect(rules).toHaveLength(1);
  });

  test('on a slow machine a few that could not be counted are excused, many or others are not', () => {
    const judged = (uncounted: number, over: Partial<AnswerRecord> = {}): string[] => {
      const refused = { ...answer(503), code: 'rate_limit_unavailable', retryAfter: 1, ...over };
      const records = [
        ...Array<AnswerRecord>(100).fill(answer(200)),
        ...Array.from({ length: uncounted }, () => ({ ...refused })),
      ];
      const violations = createViolations();
      const rules = { expected: [429], slowMachine: true, objectives: 0 };
      checkRun({ records, notes: [] }, summary(records.length), rules, violations);
      return violations.list().map(({ rule }) => rule);
    };
    expect(judged(2)).toEqual([]);
    expect(judged(10)).toEqual(['few requests cannot be counted']);
    expect(judged(1, { retryAfter: null })).toEqual(['no answer is an error']);
    expect(judged(1, { code: 'api_unavailable' })).toEqual(['no answer is an error']);
  });

  test('an objective of which the summary has nothing, or a script that failed, is summary of', () => {
    const violations = createViolations();
    const rules = { expected: [], slowMachine: false, objectives: 1 };
    const notes = ['TypeError: no such thing', "thresholds on metrics 'd' have been crossed"];
    checkRun({ records: [answer(200)], notes }, summary(1), rules, violations);
    expect(violations.list()).toMatchObject([
      { rule: 'k6 has nothing to say', count: 1 },
      { rule: 'every objective is measured', count: 1 },
    ]);
  });

  test('where times are not judged, a request that was not sent says nothing', () => {
    const dropped = summary(1, { dropped_iterations: { values: { count: 1 } } });
    expect(rulesBroken([200], dropped, true)).toEqual([]);
  });
});
