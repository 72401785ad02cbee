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
  return {
    read: async (address) => attemptsOf(await counters.call('readAttempts', `fa:${address}`)),
    count: async (address) => {
      const deadline = Math.floor(clock.now() + timeoutMs);
      const attempts = attemptsOf(await counters.call('countAttempt', `fa:${address}`, deadline));
      if (attempts.count < 0) throw uncountable();
      return attempts;
    },
  };
}
