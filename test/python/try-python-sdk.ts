/**
 * Checks clients/sdk-python: generated files, format, lint, types, its tests against the whole product, and its wheel in
 * clean environments of the oldest and the newest Python of this machine.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privateStackOptions, startStack, steadyEnvironment, type Stack } from '@bv/local-stack';
import { packWheel } from '../../scripts/pack-wheel.ts';
import { createCustomer } from '../fuzz/prepare.ts';
import { createEnvironment, findInterpreters, type Interpreter } from './environments.ts';
import { installTools, sdk } from './tools.ts';

const root = join(import.meta.dirname, '../..');
const scratch = await mkdtemp(join(tmpdir(), 'bv-python-'));
await chmod(scratch, 0o755);

const python = installTools();

/** Runs a program of the package to its end. Nothing is written into the checkout. */
function check(words: string[], env: Record<string, string> = {}, cwd = sdk): void {
  execFileSync(python, words, {
    cwd,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...env },
  });
}

function checkSources(): void {
  const mypy = ['-m', 'mypy', '--cache-dir', join(root, '.tools/mypy-cache'), '--config-file'];
  const config = join(sdk, 'pyproject.toml');
  check([join(sdk, 'scripts/generate.py'), '--check']);
  check(['-m', 'ruff', 'format', '--quiet', '--no-cache', '--check', '.']);
  check(['-m', 'ruff', 'check', '--quiet', '--no-cache', '.']);
  check([...mypy, config, '-p', 'bv_sdk']);
  for (const part of ['tests', 'scripts']) {
    check([...mypy, config, '.'], { MYPYPATH: `${join(sdk, 'src')}:.` }, join(sdk, part));
  }
}

/** Runs without blocking this process, which watches the services. */
async function succeeds(command: string, words: string[], env: Record<string, string>): Promise<boolean> {
  const child = spawn(command, words, {
    cwd: sdk,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { PATH: process.env['PATH'], HOME: scratch, PYTHONDONTWRITEBYTECODE: '1', ...env },
  });
  const [status] = (await once(child, 'exit')) as [number | null];
  return status === 0;
}

const pytest = ['-m', 'pytest', '-p', 'no:cacheprovider', '-n', '4'];

async function tryProduct(stack: Stack, environments: Environment[]): Promise<boolean> {
  const { key } = await createCustomer(stack);
  const access = { BV_BASE_URL: stack.baseUrl, BV_API_KEY: key };
  const operator = { BV_OPERATOR_URL: stack.operatorUrl, BV_OPERATOR_TOKEN: stack.secrets.operatorToken };
  let good = await succeeds(python, pytest, { ...access, ...operator });
  for (const environment of environments) {
    console.log(`the wheel in a clean environment of Python ${environment.interpreter.version}`);
    const used = await succeeds(environment.python, [join(import.meta.dirname, 'use_wheel.py')], access);
    const tested = await succeeds(environment.python, [...pytest, '--ignore', 'tests/live'], {});
    good = good && used && tested;
  }
  return good;
}

type Environment = { interpreter: Interpreter; python: string };

function createEnvironments(wheel: string): Environment[] {
  const all = findInterpreters();
  const chosen = [...new Set([all[0], all.at(-1)])].filter((one) => one !== undefined);
  console.log(`Python versions here: ${all.map(({ version }) => version).join(', ')}`);
  return chosen.map((interpreter) => ({
    interpreter,
    python: createEnvironment(interpreter, join(scratch, interpreter.version), [
      wheel,
      'pytest==9.2.0',
      'pytest-xdist==3.8.0',
    ]),
  }));
}

async function main(): Promise<boolean> {
  checkSources();
  const wheel = packWheel(scratch);
  check(['-m', 'pip', 'install', '--quiet', '--force-reinstall', '--no-deps', wheel]);
  const environments = createEnvironments(wheel);
  const options = privateStackOptions(join(scratch, 'data'), steadyEnvironment);
  const stack = await startStack(options, (line) => console.log(line));
  try {
    return await tryProduct(stack, environments);
  } finally {
    await stack.stop();
  }
}

try {
  const good = await main();
  console.log(good ? 'the Python SDK passes' : 'the Python SDK fails');
  process.exitCode = good ? 0 : 1;
} finally {
  await rm(scratch, { recursive: true, force: true });
}
process.exit();
