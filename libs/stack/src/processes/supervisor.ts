import { setTimeout as sleep } from 'node:timers/promises';
import { StackFailure } from '../failure.ts';
import type { Say } from '../progress.ts';
import { startProcess, type ManagedProcess, type ProcessOptions } from './managed-process.ts';
import { forgetProcess, recordProcess } from './process-records.ts';
import { waitUntil } from './wait-until.ts';

export type SupervisedOptions = ProcessOptions & {
  /** Whether the process that runs now answers. */
  ready: () => Promise<boolean>;
  readyTimeoutMs: number;
  /** Where running processes are recorded. */
  recordsDir: string;
  say: Say;
  /** Gives the start up. */
  signal: AbortSignal;
  backoff?: { firstMs: number; maximumMs: number; settledMs: number };
};

export type Supervised = {
  name: string;
  /** The process at this moment. */
  pid(): number;
  /** How often it was restarted. */
  restarts(): number;
  stop(): Promise<void>;
};

const defaultBackoff = { firstMs: 500, maximumMs: 30_000, settledMs: 60_000 };

/**
 * Starts a process and returns when it is ready; from then on it is started again whenever it ends, after a
 * pause that doubles up to a maximum and starts again once the process has lasted.
 * A process that ends or stays silent before it was ever ready fails the start, with its last lines.
 */
export async function supervise(options: SupervisedOptions): Promise<Supervised> {
  const backoff = options.backoff ?? defaultBackoff;
  const stopping = new AbortController();
  let restarts = 0;
  let current = begin(options);
  await awaitFirstReady(options, current);

  const keepRunning = async (): Promise<void> => {
    for (let pauseMs = backoff.firstMs; ; pauseMs = Math.min(pauseMs * 2, backoff.maximumMs)) {
      const started = performance.now();
      const how = await current.exited;
      forgetProcess(options.recordsDir, current.pid);
      if (stopping.signal.aborted) return;
      if (performance.now() - started > backoff.settledMs) pauseMs = backoff.firstMs;
      options.say(`${options.name} ended (${how}): starting it again in ${pauseMs / 1_000} s`);
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
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
  const answered = await waitUntil(ready, { timeoutMs, intervalMs: 50, until });
  if (answered && child.running() && !signal.aborted) return;
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
    options.say(`${options.name} is back`);
  }
}
