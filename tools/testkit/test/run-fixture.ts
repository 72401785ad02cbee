import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** Runs a fixture by jest with the configuration of every test run, but without data stores. */
export async function runFixture(name: string) {
  const imported = (await import(join(root, 'jest.config.mjs'))) as { default: Record<string, unknown> };
  const { globalSetup: _, globalTeardown: __, ...config } = imported.default;
  const own = { ...config, rootDir: root, testMatch: [`<rootDir>/tools/testkit/test/fixtures/${name}.ts`] };
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  return spawnSync(
    process.execPath,
    ['--conditions=@bv/source', '--experimental-vm-modules', jest, '--config', JSON.stringify(own)],
    { cwd: root, encoding: 'utf8' },
  );
}
