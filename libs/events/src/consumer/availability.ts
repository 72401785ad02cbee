import { checkWritable } from '@bv/postgres';
import type { Pool } from '@bv/postgres';
import { backoffMs } from '@bv/resilience';
import { retryBackoff } from '../pacing.ts';
import type { Notifier } from '@bv/lifecycle';
import type { StateLog } from '../pacing.ts';

/** Whether the database accepts writes. While it does not, no message is requested: none is at fault. */
export type Availability = {
  /** By the latest check. */
  available(): boolean;
  /** Asks the database; all that ask at the same time share one answer. */
  check(): Promise<boolean>;
  /** Returns at once while it is available, else when it is again or the notifier is woken by `stopping`. */
  untilAvailable(notifier: Notifier, stopping: () => boolean): Promise<void>;
};

export function createAvailability(pool: Pool, state: StateLog): Availability {
  let available = true;
  let probing: Promise<boolean> | undefined;

  const probe = async (): Promise<boolean> => {
    try {
      await checkWritable(pool);
      available = true;
      state.up();
    } catch (error) {
      available = false;
      state.down(error);
    }
    return available;
  };
  const check = (): Promise<boolean> => {
    probing ??= probe().finally(() => {
      probing = undefined;
    });
    return probing;
  };
  return {
    available: () => available,
    check,
    untilAvailable: async (notifier, stopping) => {
      for (let failures = 0; !available && !stopping(); failures += 1) {
        if (!(await check())) await notifier.wait(backoffMs(retryBackoff, failures));
      }
    },
  };
}
