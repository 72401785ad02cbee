import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '../../..');

it('an invalid response fails the test that received it, with the configuration of every test run', async () => {
  const imported = (await import(join(root, 'jest.config.mjs'))) as { default: Record<string, unknown> };
  const { globalSetup: _, globalTeardown: __, reporters: ___, ...config } = imported.default;
  const own = {
    ...config,
    rootDir: root,
    testMatch: ['<rootDir>/tools/testkit/test/fixtures/wrong-response.ts'],
  };
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--experimental-vm-modules', jest, '--config', JSON.stringify(own)],
    { cwd: root, encoding: 'utf8' },
  );
  expect(stderr).toContain('GET /v1/orgs returned 200');
  expect(stderr).toContain('Tests:       1 failed, 1 total');
  expect(status).toBe(1);
});
