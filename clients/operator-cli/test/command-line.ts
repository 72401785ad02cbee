import { spawn } from 'node:child_process';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { childEnvironment } from '@bv/testkit';
import { run } from '../src/run.ts';

const root = join(import.meta.dirname, '../../..');

export type Outcome = { status: number | null; out: string; notes: string };

/** Runs the command in a separate process. */
export function operator(
  words: string[],
  {
    environment = {},
    input,
    cwd = root,
  }: { environment?: Record<string, string>; input?: string | AsyncIterable<string>; cwd?: string } = {},
): Promise<Outcome> {
  const child = spawn(process.execPath, [join(root, 'scripts/run.mjs'), 'operator', ...words], {
    cwd,
    env: { ...childEnvironment(), ...environment },
  });
  let out = '';
  let notes = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (notes += text));
  // A command that does not read its input closes it.
  child.stdin.on('error', () => undefined);
  void feed(child.stdin, input);
  return new Promise((resolve) => {
    child.once('close', (status) => resolve({ status, out, notes }));
  });
}

/** Runs a command without input in this process, which takes a tenth of the time. */
export async function operatorHere(
  words: string[],
  environment: Record<string, string> = {},
): Promise<Outcome> {
  let out = '';
  let notes = '';
  const terminal = {
    input: Readable.from([]),
    print: (text: string) => void (out += text),
    note: (text: string) => void (notes += text),
    isInteractive: false,
    width: undefined,
  };
  const status = await run(words, { terminal, environment, directory: root });
  return { status, out, notes };
}

async function feed(
  stdin: NodeJS.WritableStream,
  input: string | AsyncIterable<string> | undefined,
): Promise<void> {
  if (typeof input === 'string') stdin.write(input);
  else if (input !== undefined) for await (const part of input) stdin.write(part);
  stdin.end();
}

/** Starts a server that passes each response to the next of the handlers. */
export async function startFailing(...handlers: ((response: ServerResponse) => void)[]) {
  const server = createServer((_, response) => handlers.shift()?.(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, close: () => void server.close() };
}
