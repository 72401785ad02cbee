import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** First version that the SDK supports, and one after the last that is searched for. */
const minors = { first: 10, end: 16 };

export type Interpreter = { path: string; version: string };

function pyenvVersions(): string[] {
  const versions = join(homedir(), '.pyenv/versions');
  try {
    return readdirSync(versions).map((name) => join(versions, name, 'bin/python'));
  } catch {
    return [];
  }
}

function describe(path: string): (Interpreter & { minor: number }) | undefined {
  const program = 'import sys, venv; print(sys.executable, *sys.version_info[:3])';
  const { status, stdout } = spawnSync(path, ['-c', program], { encoding: 'utf8' });
  const [executable, major, minor, patch] = (stdout ?? '').trim().split(' ');
  if (status !== 0 || major !== '3') return undefined;
  return { path: executable ?? path, version: `3.${minor}.${patch}`, minor: Number(minor) };
}

/** One interpreter of each supported version on this machine, in ascending order. */
export function findInterpreters(): Interpreter[] {
  const numbers = Array.from({ length: minors.end - minors.first }, (_, at) => minors.first + at);
  const named = numbers.map((minor) => `python3.${minor}`);
  const found = new Map<number, Interpreter>();
  for (const path of ['python3', ...named, ...pyenvVersions()]) {
    const interpreter = describe(path);
    if (interpreter === undefined || interpreter.minor < minors.first) continue;
    if (!found.has(interpreter.minor)) found.set(interpreter.minor, interpreter);
  }
  return [...found].toSorted(([a], [b]) => a - b).map(([, interpreter]) => interpreter);
}

/** A new environment that has only these packages. Returns its interpreter. */
export function createEnvironment(interpreter: Interpreter, dir: string, packages: string[]): string {
  const quiet = ['--quiet', '--disable-pip-version-check'];
  execFileSync(interpreter.path, ['-m', 'venv', dir]);
  const python = join(dir, 'bin/python');
  execFileSync(python, ['-m', 'pip', 'install', ...quiet, ...packages], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return python;
}
