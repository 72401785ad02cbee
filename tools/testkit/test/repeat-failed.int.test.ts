import { expect, it } from '@jest/globals';
import { runFixture } from './run-fixture.ts';

it('a test that passes only when repeated is named, and fails the run unless CPU steal was high', async () => {
  const { status, stdout } = await runFixture('second-attempt');
  expect(stdout).toMatch(/Passed only when repeated, with \d+ % CPU steal:\n {2}.*: passes when repeated/);
  expect(stdout).toMatch(status === 1 ? /^1 passed, 1 failed$/m : /^2 passed, 0 failed$/m);
});
