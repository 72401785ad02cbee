import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '../../..');

it('a wrong answer fails the test that got it, by the configuration every test runs under', async () => {
  const imported = (await import(join(root, 'jest.config.mjs'))) as { default: Record<string, unknown> };
  const { globalSetup: _, globalTeardown: __, reporters: ___, ...config } = imported.default;
  const own = {
    ...config,
    rootDir: root,
    testMatch: ['<rootDir>/libs/testkit/test/fixtures/wrong-answer.ts'],
  };
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--experimental-vm-modules', jest, '--config', JSON.stringify(own)],
    { cwd: root, encoding: 'utf8' },
  );
  expect(stderr).toContain('GET /v1/orgs answered 200');
  expect(stderr).toContain('Tests:       1 failed, 1 total');
  expect(status).toBe(1);
});
