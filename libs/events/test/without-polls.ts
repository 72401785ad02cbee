import { jest } from '@jest/globals';

/** The waits of a relay until its next poll, when it was busy and when it was idle. */
const pollMs = new Set<number | undefined>([100, 500]);

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
