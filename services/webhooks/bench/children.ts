import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const children = new Set<ChildProcess>();

/** A process of this repository, ended with the benchmark; resolves with the first line it says that matches. */
export async function startChild(
  script: string,
  options: { args?: string[]; env?: Record<string, string>; line?: RegExp } = {},
): Promise<string> {
  const { args = [], env = {}, line = /./ } = options;
  const path = fileURLToPath(new URL(script, import.meta.url));
  const stdio: StdioOptions = ['pipe', 'pipe', 'inherit'];
  const child = spawn(process.execPath, ['--conditions=@bv/source', path, ...args], {
    // oxlint-disable-next-line node/no-process-env -- children get the whole environment
    env: { ...process.env, ...env },
    stdio,
  });
  children.add(child);
  void once(child, 'exit').then(() => children.delete(child));
  const { stdout } = child;
  if (stdout === null) throw new Error(`${script} has no output`);
  return new Promise((resolve, reject) => {
    createInterface(stdout).on('line', (text) => {
      if (line.test(text)) resolve(text);
    });
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code} before it was ready`)));
  });
}

/** The latest started first. Data stores end when their stdin closes. */
export async function stopChildren(): Promise<void> {
  for (const child of [...children].toReversed()) {
    const ended = once(child, 'exit');
    if (child.spawnargs.some((part) => part.endsWith('data-stores.ts'))) child.stdin?.end();
    else child.kill('SIGTERM');
    await ended;
  }
}
