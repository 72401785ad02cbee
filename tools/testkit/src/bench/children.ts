import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const children = new Set<ChildProcess>();

/** Starts a script of this repository. Resolves with the first line of its output that matches. */
export async function startChild(
  script: URL,
  options: { args?: string[]; env?: Record<string, string>; line?: RegExp } = {},
): Promise<string> {
  const { args = [], env = {}, line = /./ } = options;
  const path = fileURLToPath(script);
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
    child.once('exit', (code) => reject(new Error(`${path} ended with ${code} before it was ready`)));
  });
}

const isDataStores = (child: ChildProcess): boolean =>
  child.spawnargs.some((part) => part.endsWith('data-stores.ts'));

/** Stops the processes in reverse order of their start: services need the data stores until they have stopped. */
export async function stopChildren(options: { keepDataStores?: boolean } = {}): Promise<void> {
  const { keepDataStores = false } = options;
  for (const child of [...children].toReversed()) {
    if (keepDataStores && isDataStores(child)) continue;
    const ended = once(child, 'exit');
    // Data stores end when their stdin closes.
    child.stdin?.end();
    if (!isDataStores(child)) child.kill('SIGTERM');
    await ended;
  }
}
