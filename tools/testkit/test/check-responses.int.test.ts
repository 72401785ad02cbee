import { expect, it } from '@jest/globals';
import { runFixture } from './run-fixture.ts';

it('an invalid response fails the test that received it, with the configuration of every test run', async () => {
  const { status, stderr } = await runFixture('wrong-response');
  expect(stderr).toContain('GET /v1/orgs returned 200');
  expect(stderr).toContain('Tests:       1 failed, 1 total');
  expect(status).toBe(1);
});
