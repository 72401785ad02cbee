import { expect, it } from '@jest/globals';
import { summaryLine } from './summary-reporter.ts';

const none = {
  numPassedTests: 0,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  numRuntimeErrorTestSuites: 0,
};

it('counts what passed and what failed', () => {
  expect(summaryLine({ ...none, numPassedTests: 12 })).toBe('12 passed, 0 failed');
  expect(summaryLine({ ...none, numPassedTests: 1, numFailedTests: 2 })).toBe('1 passed, 2 failed');
});

it('counts a file that could not run as a failure', () => {
  expect(summaryLine({ ...none, numRuntimeErrorTestSuites: 1 })).toBe('0 passed, 1 failed');
});

it('names skipped tests only when there are any', () => {
  expect(summaryLine({ ...none, numPendingTests: 2, numTodoTests: 1 })).toBe('0 passed, 0 failed, 3 skipped');
});
