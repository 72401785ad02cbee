import { runningProcesses } from './processes/process-records.ts';
import { signalQuietly } from './processes/managed-process.ts';
import type { Say } from './progress.ts';

export type StopWatch = {
  /** Aborted when a stop was asked for. */
  signal: AbortSignal;
  /** Settles then. */
  requested: Promise<void>;
};

/** A signal often comes twice: from the terminal and from the process that started this one. */
const sameSignalMs = 1_000;

/**
 * Ctrl-C, SIGTERM, a closed terminal, or the end of the process that started this one ask for a stop.
 * Asked again while stopping, everything recorded is killed.
 */
export function watchForStop(say: Say, recordsDir: string): StopWatch {
  const stop = new AbortController();
  let firstAt = 0;
  const request = (reason: string): void => {
    const now = performance.now();
    if (!stop.signal.aborted) {
      firstAt = now;
      say(`${reason}: stopping (again to kill everything at once)`);
      stop.abort();
      return;
    }
    if (now - firstAt < sameSignalMs) return;
    for (const { pid } of runningProcesses(recordsDir).toReversed()) signalQuietly(-pid, 'SIGKILL');
    process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => request(signal));
  if (process.channel !== undefined) {
    process.once('disconnect', () => request('the starting process is gone'));
    process.channel?.unref();
  }
  const requested = new Promise<void>((resolve) => {
    stop.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  return { signal: stop.signal, requested };
}
