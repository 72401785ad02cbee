import { jest } from '@jest/globals';
import { busyPollMs, idlePollMs } from '../src/outbox/relay.ts';

const pollMs = new Set<number | undefined>([busyPollMs, idlePollMs]);

/** Runs this while no wait of a relay ends by a poll: only a notification ends it. */
export async function withoutPolls(run: () => Promise<void>): Promise<void> {
  const start = globalThis.setTimeout;
  const timers = jest.spyOn(globalThis, 'setTimeout');
  timers.mockImplementation((callback, ms) => start(callback, pollMs.has(ms) ? 600_000 : ms));
  try {
    await run();
  } finally {
    timers.mockRestore();
  }
}
