import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const requirements = join(import.meta.dirname, 'requirements.txt');

/** The fuzzer of exactly the versions named, in a Python environment of its own; made once per set of versions. */
export function installSchemathesis(toolsDir: string): string {
  const versions = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const dir = join(toolsDir, `schemathesis-${versions}`);
  const program = join(dir, 'bin/schemathesis');
  if (existsSync(program)) return program;
  // A virtual environment contains its own path, so it is created in place. The program exists once it is complete.
  rmSync(dir, { recursive: true, force: true });
  makeEnvironment(dir);
  const hidden = `${program}.unfinished`;
  run(join(dir, 'bin/python'), ['-m', 'pip', 'install', '--quiet', '--requirement', requirements]);
  renameSync(program, hidden);
  run(hidden, ['--version']);
  renameSync(hidden, program);
  return program;
}

function makeEnvironment(dir: string): void {
  const make = () => spawnSync('python3', ['-m', 'venv', dir], { encoding: 'utf8' });
  const made = make();
  if (made.status === 0) return;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    throw new Error(`Schemathesis needs python3 with venv: ${made.stderr ?? 'no python3 here'}`);
  }
  rmSync(dir, { recursive: true, force: true });
  console.log('installing with apt-get: python3, python3-venv ...');
  run('apt-get', ['--quiet', 'update']);
  run('apt-get', ['--quiet', 'install', '--yes', '--no-install-recommends', 'python3', 'python3-venv']);
  const again = make();
  if (again.status !== 0) throw new Error(`no Python environment: ${again.stderr}`);
}

function run(program: string, words: string[]): void {
  const { status, error } = spawnSync(program, words, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (status !== 0) throw new Error(`${program} ended with status ${status}`, { cause: error });
}
