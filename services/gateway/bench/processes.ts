import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { eventually } from '@bv/testkit';

export type Started = { pid: number; port: number };

const running: ChildProcess[] = [];

/** Starts a server on a port, with its output in a file. It is ready after its first response. */
export async function startServer(
  command: readonly string[],
  options: { port: number; logFile: string; env?: Record<string, string>; path?: string },
): Promise<Started> {
  const { port, logFile, env = {}, path = '/' } = options;
  const log = openSync(logFile, 'a');
  const [program = '', ...args] = command;
  // oxlint-disable-next-line node/no-process-env -- children get the whole environment
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', log, log] });
  running.push(child);
  const ended = new AbortController();
  // Without a listener, a program that is missing would end the benchmark before it stops the other servers.
  child.once('error', (error) => ended.abort(error));
  child.once('exit', (code) => ended.abort(new Error(`${program} ended with ${code}`)));
  const request = async (): Promise<void> => {
    if (ended.signal.aborted) return;
    const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(2_000)]);
    await (await fetch(`http://127.0.0.1:${port}${path}`, { signal })).arrayBuffer();
  };
  try {
    await eventually(request, { timeoutMs: 30_000 });
    ended.signal.throwIfAborted();
  } catch (error) {
    const output = readFileSync(logFile, 'utf8').slice(-2_000);
    throw new Error(`${command.join(' ')} does not respond:\n${output}`, { cause: error });
  }
  return { pid: child.pid ?? 0, port };
}

export async function stopServers(): Promise<void> {
  for (const child of running.splice(0).toReversed()) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const kill = setTimeout(() => child.kill('SIGKILL'), 10_000);
    await ended;
    clearTimeout(kill);
  }
}
