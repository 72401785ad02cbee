import { TimeoutError } from './errors.ts';
import { type CallOptions, checkRange, type WaitOptions } from './options.ts';
import { sleep } from './wait.ts';

/** Polls a job until it has ended, and returns it. */
export async function waitForEnd<Job>(
  read: (options: CallOptions) => Promise<Job>,
  isEnded: (job: Job) => boolean,
  name: string,
  { pollIntervalMs = 5_000, timeoutMs = 1_800_000, ...options }: WaitOptions,
): Promise<Job> {
  checkRange('pollIntervalMs', pollIntervalMs);
  const deadline = Date.now() + checkRange('timeoutMs', timeoutMs);
  for (;;) {
    const job = await read({ ...options, timeoutMs: Math.max(deadline - Date.now(), 1) });
    if (isEnded(job)) return job;
    if (Date.now() + pollIntervalMs >= deadline) {
      throw new TimeoutError(`${name} has not ended within ${timeoutMs} ms`);
    }
    await sleep(pollIntervalMs, options.signal);
  }
}
