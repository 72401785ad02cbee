import { type ChildProcess, spawn } from 'node:child_process';
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
  const child = spawn(process.execPath, ['--conditions=@bv/source', path, ...args], {
    // oxlint-disable-next-line node/no-process-env -- children get the whole environment
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.add(child);
  child.once('exit', () => children.delete(child));
  return new Promise((resolve, reject) => {
    createInterface(child.stdout).on('line', (text) => {
      if (line.test(text)) resolve(text);
    });
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code} before it was ready`)));
  });
}

/** The latest started first, but for those named. Data stores end when their stdin closes. */
export async function stopChildren(but: readonly string[] = []): Promise<void> {
  for (const child of [...children].toReversed()) {
    if (child.spawnargs.some((part) => but.some((name) => part.endsWith(name)))) continue;
    const ended = once(child, 'exit');
    child.stdin?.end();
    if (!child.spawnargs.some((part) => part.endsWith('data-stores.ts'))) child.kill('SIGTERM');
    await ended;
  }
}
