import { expect, it } from '@jest/globals';
import { summarise } from './summary.ts';

const file = (passed: number, failed = 0, skipped = 0) => ({
  testFilePath: 'a.test.ts',
  numPassingTests: passed,
  numFailingTests: failed,
  numPendingTests: skipped,
  numTodoTests: 0,
  testResults: [],
});
const repeated = (status: string) => ({
  ...file(2),
  testResults: [
    { fullName: 'stable', status: 'passed', invocations: 1 },
    { fullName: 'late', status, invocations: 2 },
  ],
});

it('counts what passed and what failed', () => {
  expect(summarise([file(12)], 0).line).toBe('12 passed, 0 failed');
  expect(summarise([file(1), file(2, 2)], 0).line).toBe('3 passed, 2 failed');
  expect(summarise([{ ...file(0), testExecError: new Error('no such module') }], 0).line).toBe(
    '0 passed, 1 failed',
  );
});

it('names skipped tests only when there are any', () => {
  expect(summarise([file(0, 0, 3)], 0).line).toBe('0 passed, 0 failed, 3 skipped');
});

it('a test that passed only when repeated failed, unless CPU steal was high', () => {
  const unstable = ['a.test.ts: late'];
  expect(summarise([repeated('passed')], 0.1)).toEqual({
    line: '1 passed, 1 failed',
    unstable,
    isDefect: true,
  });
  expect(summarise([repeated('passed')], 0.3)).toEqual({
    line: '2 passed, 0 failed',
    unstable,
    isDefect: false,
  });
});

it('a test that failed again is not unstable', () => {
  expect(summarise([repeated('failed')], 0)).toMatchObject({ unstable: [], isDefect: false });
});
