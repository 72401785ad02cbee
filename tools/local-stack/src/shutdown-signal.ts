import { runningProcesses } from './processes/process-records.ts';
import { signalQuietly } from './processes/managed-process.ts';
import type { Reporter } from './reporter.ts';

export type ShutdownSignal = {
  /** Aborted when a stop is requested. */
  signal: AbortSignal;
  /** Resolves when a stop is requested. */
  requested: Promise<void>;
};

/** The same signal often arrives twice: from the terminal and from the parent process. */
const sameSignalMs = 1_000;

/**
 * Requests a stop on Ctrl-C, SIGTERM, a closed terminal, or the end of the parent process.
 * A second request while stopping kills every recorded process.
 */
export function listenForShutdown(report: Reporter, recordsDir: string): ShutdownSignal {
  const stop = new AbortController();
  let firstAt = 0;
  const request = (reason: string): void => {
    const now = performance.now();
    if (!stop.signal.aborted) {
      firstAt = now;
      report(`${reason}: stopping (repeat to kill everything at once)`);
      stop.abort();
      return;
    }
    if (now - firstAt < sameSignalMs) return;
    for (const { pid } of runningProcesses(recordsDir).toReversed()) signalQuietly(-pid, 'SIGKILL');
    process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => request(signal));
  if (process.channel !== undefined) {
    process.once('disconnect', () => request('the parent process has ended'));
    process.channel?.unref();
  }
  const requested = new Promise<void>((resolve) => {
    stop.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  return { signal: stop.signal, requested };
}
