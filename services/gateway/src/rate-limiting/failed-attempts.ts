import { rateLimiterUnavailable } from './counters.ts';
import type { Counters } from './counters.ts';
import { attemptsKey } from './scripts.ts';

/** End of the minute in which an address is blocked, and the current time of Redis. */
export type Blocked = { nowMs: number; resetSeconds: number };

/** Failed attempts of an address in a clock minute. */
type Attempts = Blocked & { count: number };

export type FailedAttempts = {
  /**
   * Returns the end of the block from local memory, without a Redis call: the count of a minute only grows.
   * Undefined if this gateway has not blocked the address.
   */
  blocked(address: string): Blocked | undefined;
  /** Blocks the address until `resetSeconds`, in seconds since the epoch. */
  block(address: string, resetSeconds: number): void;
  /** Counts one more attempt and returns the new state. */
  count(address: string): Promise<Attempts>;
};

export function createFailedAttempts(counters: Counters): FailedAttempts {
  const { clock, timeoutMs } = counters;
  // Addresses of one minute. The next minute replaces the whole set.
  let until = 0;
  let blocked = new Set<string>();
  return {
    blocked: (address) => {
      const nowMs = clock.now();
      // An end more than a minute ahead means that the clock was set back.
      const leftMs = until * 1_000 - nowMs;
      const isBlocked = leftMs > 0 && leftMs <= 60_000 && blocked.has(address);
      return isBlocked ? { nowMs, resetSeconds: until } : undefined;
    },
    block: (address, resetSeconds) => {
      if (resetSeconds !== until) blocked = new Set();
      until = resetSeconds;
      blocked.add(address);
    },
    count: async (address) => {
      const deadline = Math.floor(clock.now() + timeoutMs);
      const reply = await counters.call('countAttempt', [attemptsKey(address)], deadline);
      const [nowMs, minute, count] = reply as [number, number, number];
      clock.sync(nowMs);
      if (count < 0) throw rateLimiterUnavailable();
      return { count, nowMs, resetSeconds: (minute + 1) * 60 };
    },
  };
}
