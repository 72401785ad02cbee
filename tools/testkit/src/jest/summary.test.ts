import { expect, it } from '@jest/globals';
import { summarise } from './summary.ts';

const file = (passed: number, failed = 0, skipped = 0) => ({
  numPassingTests: passed,
  numFailingTests: failed,
  numPendingTests: skipped,
  numTodoTests: 0,
});

it('counts what passed, what failed and what was skipped', () => {
  expect(summarise([file(1), file(2, 2)])).toBe('3 passed, 2 failed');
  expect(summarise([{ ...file(0), testExecError: new Error('no such module') }])).toBe('0 passed, 1 failed');
  expect(summarise([file(0, 0, 3)])).toBe('0 passed, 0 failed, 3 skipped');
});
