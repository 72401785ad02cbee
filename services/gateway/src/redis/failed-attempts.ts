import type { Counters } from './counters.ts';
import { uncountable } from './counters.ts';

/** An address's failed attempts in the current clock minute. */
export type Attempts = { count: number; nowMs: number; resetSeconds: number };

export type FailedAttempts = {
  read(address: string): Promise<Attempts>;
  /** Counts one more and answers the new state. */
  count(address: string): Promise<Attempts>;
};

export function createFailedAttempts(counters: Counters): FailedAttempts {
  const { clock, timeoutMs } = counters;
  const attemptsOf = (reply: unknown): Attempts => {
    const [nowMs, minute, count] = reply as [number, number, number];
    clock.learn(nowMs);
    return { count, nowMs, resetSeconds: (minute + 1) * 60 };
  };
  const readNow = async (address: string): Promise<Attempts> =>
    attemptsOf(await counters.call('readAttempts', `fa:${address}`));
  let gathered = new Map<string, Promise<Attempts>>();
  return {
    read: (address) => {
      // The commands of a tick go out together at its end: until then one answer is as fresh as another.
      if (gathered.size === 0) {
        setImmediate(() => {
          gathered = new Map();
        });
      }
      const reading = gathered.get(address) ?? readNow(address);
      gathered.set(address, reading);
      return reading;
    },
    count: async (address) => {
      const deadline = Math.floor(clock.now() + timeoutMs);
      const attempts = attemptsOf(await counters.call('countAttempt', `fa:${address}`, deadline));
      if (attempts.count < 0) throw uncountable();
      return attempts;
    },
  };
}
