import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { settlesWithin } from './wait-until.ts';

export type ProcessOptions = {
  name: string;
  command: string;
  args: string[];
  logFile: string;
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  uid?: number;
  gid?: number;
};

type StopOptions = { signal?: NodeJS.Signals; timeoutMs?: number };

export type ManagedProcess = {
  name: string;
  pid: number;
  /** Resolves with how the process ended: `status 1`, `SIGKILL`, or the error of its start. Never rejects. */
  exited: Promise<string>;
  running(): boolean;
  signal(signal: NodeJS.Signals): void;
  stop(options?: StopOptions): Promise<void>;
  /** `kill -9` for the whole process group. */
  kill(): Promise<void>;
  lastLines(count: number): Promise<string[]>;
};

/**
 * Starts a child in a separate process group. Ctrl-C then reaches only the parent, which stops its children in order.
 * A child that ignores signals can be killed together with its own children.
 */
export function startProcess(options: ProcessOptions): ManagedProcess {
  const log = openSync(options.logFile, 'a', 0o600);
  const child = spawn(options.command, options.args, {
    detached: true,
    stdio: ['ignore', log, log],
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.env === undefined ? {} : { env: options.env }),
    ...(options.uid === undefined ? {} : { uid: options.uid }),
    ...(options.gid === undefined ? {} : { gid: options.gid }),
  });
  closeSync(log);
  const pid = child.pid ?? 0;
  let running = child.pid !== undefined;
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => {
      running = false;
      resolve(signal ?? `status ${code}`);
    });
  });

  const stop = async ({ signal = 'SIGTERM', timeoutMs = 10_000 }: StopOptions = {}): Promise<void> => {
    if (!running) return;
    signalQuietly(pid, signal);
    if (!(await settlesWithin(exited, timeoutMs))) signalQuietly(-pid, 'SIGKILL');
    await settlesWithin(exited, 5_000);
  };

  return {
    name: options.name,
    pid,
    exited,
    running: () => running,
    signal: (signal) => {
      if (running) signalQuietly(pid, signal);
    },
    stop,
    kill: async () => {
      if (running) signalQuietly(-pid, 'SIGKILL');
      await settlesWithin(exited, 5_000);
    },
    lastLines: (count) => lastLines(options.logFile, count),
  };
}

/** Sends a signal to a process, or to a group if `pid` is negative. Does nothing if it has already ended. */
export function signalQuietly(pid: number, signal: NodeJS.Signals): void {
  if (pid === 0 || pid === 1 || pid === -1) return;
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function lastLines(file: string, count: number): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.trimEnd().split('\n').slice(-count);
}
