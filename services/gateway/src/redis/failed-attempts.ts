import type { Counters } from './counters.ts';
import { uncountable } from './counters.ts';

/** Until when an address is refused, and when that was told. */
export type Refused = { nowMs: number; resetSeconds: number };

/** An address's failed attempts in a clock minute. */
type Attempts = Refused & { count: number };

export type FailedAttempts = {
  /**
   * Until when this gateway knows the address to be refused: attempts only grow inside their minute, so nobody needs
   * to be asked again. Undefined where it does not know.
   */
  refused(address: string): Refused | undefined;
  /** The address had too many; refused until then. */
  refuse(address: string, resetSeconds: number): void;
  /** Counts one more and answers the new state. */
  count(address: string): Promise<Attempts>;
};

export const attemptsKey = (address: string): string => `fa:${address}`;

export function createFailedAttempts(counters: Counters): FailedAttempts {
  const { clock, timeoutMs } = counters;
  // Of one minute at a time: it is forgotten as a whole.
  let until = 0;
  let refused = new Set<string>();
  return {
    refused: (address) => {
      const nowMs = clock.now();
      // A minute that ends later than in a minute is one of a clock that was set back since.
      const leftMs = until * 1_000 - nowMs;
      const known = leftMs > 0 && leftMs <= 60_000 && refused.has(address);
      return known ? { nowMs, resetSeconds: until } : undefined;
    },
    refuse: (address, resetSeconds) => {
      if (resetSeconds !== until) refused = new Set();
      until = resetSeconds;
      refused.add(address);
    },
    count: async (address) => {
      const deadline = Math.floor(clock.now() + timeoutMs);
      const reply = await counters.call('countAttempt', [attemptsKey(address)], deadline);
      const [nowMs, minute, count] = reply as [number, number, number];
      clock.learn(nowMs);
      if (count < 0) throw uncountable();
      return { count, nowMs, resetSeconds: (minute + 1) * 60 };
    },
  };
}
