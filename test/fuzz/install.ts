import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const requirements = join(import.meta.dirname, 'requirements.txt');

/** Installs the pinned versions of Schemathesis in a separate Python environment, once. Returns the program. */
export function installSchemathesis(toolsDir: string): string {
  const versions = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const dir = join(toolsDir, `schemathesis-${versions}`);
  const command = join(dir, 'bin/schemathesis');
  if (existsSync(command)) return command;
  // A virtual environment contains its own path, so it is created in place. The program exists once it is complete.
  rmSync(dir, { recursive: true, force: true });
  createEnvironment(dir);
  const hidden = `${command}.unfinished`;
  run(join(dir, 'bin/python'), ['-m', 'pip', 'install', '--quiet', '--requirement', requirements]);
  renameSync(command, hidden);
  run(hidden, ['--version']);
  renameSync(hidden, command);
  return command;
}

function createEnvironment(dir: string): void {
  const make = () => spawnSync('python3', ['-m', 'venv', dir], { encoding: 'utf8' });
  const result = make();
  if (result.status === 0) return;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    throw new Error(`Schemathesis needs python3 with venv: ${result.stderr ?? 'no python3 here'}`);
  }
  rmSync(dir, { recursive: true, force: true });
  console.log('installing with apt-get: python3, python3-venv ...');
  run('apt-get', ['--quiet', 'update']);
  run('apt-get', ['--quiet', 'install', '--yes', '--no-install-recommends', 'python3', 'python3-venv']);
  const retried = make();
  if (retried.status !== 0) throw new Error(`no Python environment: ${retried.stderr}`);
}

function run(command: string, args: string[]): void {
  const { status, error } = spawnSync(command, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (status !== 0) throw new Error(`${command} ended with status ${status}`, { cause: error });
}
