import type { Nats } from '../nats/connect.ts';
import { manager, streamName } from '../nats/stream.ts';

const refreshMs = 1_000;

/** Whether so many messages wait for their next attempt that the server would soon hand out no new ones. */
export type RetryBacklog = { isFull(): Promise<boolean> };

/** Half of `maxAckPending` is the bound: replicas put off messages before they read the new number. */
export function createRetryBacklog(nats: Nats, name: string, maxAckPending: number): RetryBacklog {
  let full = false;
  let readAt = -Infinity;
  let failures = 0;
  let reading: Promise<void> | undefined;

  const read = async (): Promise<void> => {
    try {
      const { consumers } = await manager(nats);
      const { num_ack_pending: pending } = await consumers.info(streamName, name);
      full = pending >= maxAckPending / 2;
      readAt = performance.now();
      failures = 0;
    } catch {
      // Without the number a failure takes its usual way.
      full = false;
    }
  };
  return {
    isFull: async () => {
      failures += 1;
      if (performance.now() - readAt >= refreshMs || failures > maxAckPending / 8) {
        reading ??= read().finally(() => {
          reading = undefined;
        });
        await reading;
      }
      return full;
    },
  };
}
