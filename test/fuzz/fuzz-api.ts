/**
 * Fuzzes the whole product by its OpenAPI document: runs Schemathesis against a separate stack on private ports.
 *   pnpm fuzz:api            every phase, some minutes
 *   pnpm fuzz:api --short    as in CI
 * Arguments after `--` are passed to Schemathesis, such as `--include-operation-id listPrompts`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { privateStackOptions, startStack, steadyEnvironment, type Stack } from '@bv/local-stack';
import { installPython } from '../install/python.ts';
import { startNameServer } from './name-server.ts';
import { prepare } from './prepare.ts';

const root = join(import.meta.dirname, '../..');
const { values, positionals } = parseArgs({
  // pnpm passes the `--` that ends its own options.
  args: process.argv.slice(process.argv[2] === '--' ? 3 : 2),
  options: { short: { type: 'boolean', default: false } },
  allowPositionals: true,
});

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
const effort = values.short ? ['--max-examples', '8'] : ['--max-examples', '100'];

/** Writes the configuration with its variables replaced. Schemathesis replaces them only in a few places. */
async function configure(found: Record<string, string>, dir: string): Promise<string> {
  const template = await readFile(join(import.meta.dirname, 'schemathesis.toml'), 'utf8');
  const config = template.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = found[name];
    if (value === undefined) throw new Error(`nothing to fill in for ${name}`);
    return value;
  });
  const file = join(dir, 'schemathesis.toml');
  await writeFile(file, config, { mode: 0o600 });
  return file;
}

async function fuzz(program: string, stack: Stack, dir: string): Promise<number> {
  const found = await prepare(stack);
  // Without a dispatcher nothing is sent to the receivers that the fuzzer generates.
  await stack.services.get('webhooks-dispatcher')?.stop();
  const words = [
    '--config-file',
    await configure(found, dir),
    'run',
    join(root, 'docs/openapi.json'),
    ...effort,
    ...positionals,
  ];
  const child = spawn(program, words, {
    cwd: dir,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { PATH: process.env['PATH'], HOME: dir },
  });
  const [status] = (await once(child, 'exit')) as [number | null];
  return status ?? 1;
}

const requirements = join(import.meta.dirname, 'requirements.txt');
const programs = installPython(requirements, { dir: join(root, '.tools'), name: 'schemathesis' });
const program = join(programs, 'schemathesis');
const dir = await mkdtemp(join(tmpdir(), 'bv-fuzz-'));
// The user of PostgreSQL needs access to the data directory below it.
await chmod(dir, 0o755);
// The fuzzer generates host names. None of them may be resolved outside this machine.
const nameServer = await startNameServer();
const environment = {
  ...steadyEnvironment,
  WEBHOOKS_DNS_SERVERS: nameServer.address,
  // Any two letters are a market. Otherwise nearly every generated prompt would be rejected.
  MARKETS: letters.flatMap((first) => letters.map((second) => first + second)).join(','),
  // Generated keys would soon block the address for the valid key too.
  FAILED_ATTEMPTS_PER_MINUTE: '1000000',
};
const options = privateStackOptions(join(dir, 'data'), environment);
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
const stack = await startStack(options, (line) => console.log(line), stopping.signal);
try {
  process.exitCode = await Promise.race([
    fuzz(program, stack, dir),
    once(stopping.signal, 'abort').then(() => 1),
  ]);
} finally {
  await stack.stop();
  nameServer.close();
  await rm(dir, { recursive: true, force: true });
}
process.exit();
