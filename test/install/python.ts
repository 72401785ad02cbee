import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installWithApt, runToEnd } from './apt.ts';

/** Installs the packages of a requirements file in a separate Python environment, once. Returns its programs. */
export function installPython(requirements: string, into: { dir: string; name: string }): string {
  const versions = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const dir = join(into.dir, `${into.name}-${versions}`);
  const bin = join(dir, 'bin');
  const complete = join(dir, 'complete');
  if (existsSync(complete)) return bin;
  // A virtual environment contains its own path, so it is created in place. The last file says that it is complete.
  rmSync(dir, { recursive: true, force: true });
  createEnvironment(dir);
  runToEnd(join(bin, 'python'), ['-m', 'pip', 'install', '--quiet', '--requirement', requirements]);
  writeFileSync(complete, '');
  return bin;
}

function createEnvironment(dir: string): void {
  const make = () => spawnSync('python3', ['-m', 'venv', dir], { encoding: 'utf8' });
  const result = make();
  if (result.status === 0) return;
  rmSync(dir, { recursive: true, force: true });
  installWithApt(
    ['python3', 'python3-venv'],
    `python3 with venv is needed: ${result.stderr ?? 'no python3 here'}`,
  );
  const retried = make();
  if (retried.status !== 0) throw new Error(`no Python environment: ${retried.stderr}`);
}
