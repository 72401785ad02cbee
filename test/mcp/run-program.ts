import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs a program without blocking this process, which watches the services. Returns its status and all its output. */
export async function runProgram(program: string, words: string[], env: Record<string, string>) {
  const child = spawn(program, words, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    timeout: 120_000,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, output };
}
