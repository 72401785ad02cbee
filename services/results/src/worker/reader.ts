import { extname } from 'node:path';
import type { Logger } from '@bv/telemetry';
import { Piscina } from 'piscina';
import type { RereadTask, rereadUnits, RereadUnit } from './reread-thread.ts';

export type Reader = {
  /** Rejects if the signal aborts, or after a deadline that no batch of answers reaches. */
  reread(task: RereadTask, signal: AbortSignal): Promise<RereadUnit[]>;
  close(): Promise<void>;
};

const taskTimeoutMs = 60_000;
/** The longest pause between batches. The thread must survive it: a new one takes seconds until it is fast. */
export const maxPauseMs = 30_000;
/** Then the memory of the thread is free again. */
const idleTimeoutMs = 2 * maxPauseMs;
/** About 50 MB are in use. A limit of 256 made the process 70 MB larger, and reading no faster. */
const maxHeapMb = 160;
/** A larger one is no faster, and takes up to 50 MB more. */
const maxYoungHeapMb = 16;

/** Reads units in one thread, which runs only while it has work. */
export function createReader(log: Logger): Reader {
  const name: (typeof rereadUnits)['name'] = 'rereadUnits';
  const threads = new Piscina<RereadTask, RereadUnit[]>({
    filename: new URL(`reread-thread${extname(import.meta.filename)}`, import.meta.url).href,
    name,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: idleTimeoutMs,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: maxYoungHeapMb },
  });
  // An error outside a task. Without a listener it would end the process.
  threads.on('error', (error) => log.error({ err: error }, 'the thread that reads answers failed'));
  return {
    reread: (task, signal) =>
      threads.run(task, { signal: AbortSignal.any([signal, AbortSignal.timeout(taskTimeoutMs)]) }),
    close: () => threads.destroy(),
  };
}
