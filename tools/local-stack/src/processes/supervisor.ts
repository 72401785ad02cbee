import { setTimeout as sleep } from 'node:timers/promises';
import { type Backoff, backoffMs } from '@bv/resilience';
import { StackFailure } from '../failure.ts';
import type { Reporter } from '../reporter.ts';
import { startProcess, type ManagedProcess, type ProcessOptions } from './managed-process.ts';
import { forgetProcess, recordProcess } from './process-records.ts';
import { waitUntil } from './wait-until.ts';

export type SupervisedOptions = ProcessOptions & {
  /** Whether the current process is ready. */
  ready: () => Promise<boolean>;
  readyTimeoutMs: number;
  /** Directory of the records of running processes. */
  recordsDir: string;
  report: Reporter;
  /** Aborts the start. */
  signal: AbortSignal;
  backoff?: Backoff & { settledMs: number };
};

export type Supervised = {
  name: string;
  /** Id of the current process. */
  pid(): number;
  /** Number of restarts so far. */
  restarts(): number;
  stop(): Promise<void>;
};

const defaultBackoff = { baseMs: 500, maxMs: 30_000, settledMs: 60_000 };

/**
 * Starts a process and returns when it is ready. Restarts it whenever it ends, with a delay that doubles up to a maximum
 * and is reset after the process has run for `settledMs`.
 * Throws with the last log lines if the process ends or times out before it is ready.
 */
export async function supervise(options: SupervisedOptions): Promise<Supervised> {
  const backoff = options.backoff ?? defaultBackoff;
  const stopping = new AbortController();
  let restarts = 0;
  let current = begin(options);
  await awaitFirstReady(options, current);

  const keepRunning = async (): Promise<void> => {
    for (let retry = 0; ; retry += 1) {
      const started = performance.now();
      const how = await current.exited;
      forgetProcess(options.recordsDir, current.pid);
      if (stopping.signal.aborted) return;
      if (performance.now() - started > backoff.settledMs) retry = 0;
      const delayMs = backoffMs(backoff, retry);
      options.report(`${options.name} ended (${how}): restarting in ${delayMs / 1_000} s`);
      await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      restarts += 1;
      current = begin(options);
      void announceReady(options, current);
    }
  };
  const ended = keepRunning();

  return {
    name: options.name,
    pid: () => current.pid,
    restarts: () => restarts,
    stop: async () => {
      stopping.abort();
      await current.stop();
      await ended;
    },
  };
}

function begin(options: SupervisedOptions): ManagedProcess {
  const child = startProcess(options);
  recordProcess(options.recordsDir, { name: options.name, pid: child.pid });
  return child;
}

async function awaitFirstReady(options: SupervisedOptions, child: ManagedProcess): Promise<void> {
  const { name, ready, readyTimeoutMs: timeoutMs, recordsDir, logFile, signal } = options;
  let ended: string | undefined;
  void child.exited.then((how) => (ended = how));
  const until = Promise.race([child.exited, aborted(signal)]);
  const isReady = await waitUntil(ready, { timeoutMs, intervalMs: 50, until });
  if (isReady && child.running() && !signal.aborted) return;
  const reason =
    ended === undefined ? `was not ready within ${timeoutMs / 1_000} s` : `ended while starting (${ended})`;
  await child.stop({ timeoutMs: 5_000 });
  forgetProcess(recordsDir, child.pid);
  signal.throwIfAborted();
  const lines = await child.lastLines(20);
  throw new StackFailure(
    [`${name} ${reason}. The last lines of ${logFile}:`, ...lines.map((line) => `  ${line}`)].join('\n'),
  );
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted)
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

async function announceReady(options: SupervisedOptions, child: ManagedProcess): Promise<void> {
  const timeoutMs = options.readyTimeoutMs;
  if (await waitUntil(options.ready, { timeoutMs, intervalMs: 100, until: child.exited })) {
    options.report(`${options.name} is back`);
  }
}
