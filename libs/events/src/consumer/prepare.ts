import { setTimeout as sleep } from 'node:timers/promises';
import type { Envelope } from '../define-event.ts';

export type Prepare = (envelopes: readonly Envelope[]) => Promise<void>;

const deadlineMs = 10_000;

/** Gives the step a deadline: what it waits for must not hold a message for ever. */
export function bounded(prepare: Prepare, timeoutMs = deadlineMs): Prepare {
  return async (envelopes) => {
    const timer = new AbortController();
    const late = sleep(timeoutMs, undefined, { signal: timer.signal }).then(() => {
      throw new Error(`not prepared within ${timeoutMs} ms`);
    });
    try {
      await Promise.race([prepare(envelopes), late]);
    } finally {
      timer.abort();
    }
  };
}
