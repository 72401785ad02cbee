import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childEnvironment } from '@bv/testkit';

const main = join(import.meta.dirname, '../cli/main.ts');
const started: ChildProcess[] = [];

export type CliOptions = {
  baseUrl?: string;
  apiKey?: string;
  /** Further environment variables. */
  env?: Record<string, string>;
  /** Maximum size of a file, in blocks of 1,024 bytes. */
  maxFileBlocks?: number;
};

/** Starts the command line in its own process. */
export function startCli(args: string[], options: CliOptions) {
  const { baseUrl, apiKey = 'bvk_live_cli', maxFileBlocks } = options;
  const node = [process.execPath, '--conditions=@bv/source', main, ...args];
  const limited = ['-c', `ulimit -f ${maxFileBlocks}; exec "$@"`, 'bash', ...node];
  const [command = '', ...words] = maxFileBlocks === undefined ? node : ['bash', ...limited];
  const env = {
    ...childEnvironment(),
    BV_API_KEY: apiKey,
    ...(baseUrl === undefined ? {} : { BV_BASE_URL: baseUrl }),
    ...options.env,
  };
  const child = spawn(command, words, { env });
  started.push(child);
  const output = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.err += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return { child, output, ended };
}

/** Runs the command line to its end. */
export async function runCli(args: string[], options: CliOptions) {
  const { child, output, ended } = startCli(args, options);
  child.stdin.end();
  return { code: await ended, ...output };
}

export function killAll(): void {
  for (const child of started.splice(0)) child.kill('SIGKILL');
}

/** A directory for the files of a test. */
export async function createScratch() {
  const path = await mkdtemp(join(tmpdir(), 'bv-cli-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
