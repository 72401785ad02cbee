import { expect, jest, test } from '@jest/globals';
import { createPendingReleases } from './pending-releases.ts';

test('pending releases run once, oldest first, however long the database was unavailable', async () => {
  jest.useFakeTimers({ advanceTimers: false });
  const releases = createPendingReleases();
  const released: string[] = [];
  let isUnavailable = true;
  const action = (name: string) => async (): Promise<void> => {
    if (isUnavailable) throw new Error('unavailable');
    released.push(name);
  };
  await expect(releases.runOrEnqueue('1', action('first'))).rejects.toThrow('unavailable');
  releases.enqueue('2', action('second'));
  // Much longer than any lease.
  jest.advanceTimersByTime(24 * 60 * 60 * 1_000);
  await expect(releases.flush()).rejects.toThrow('unavailable');
  isUnavailable = false;
  await releases.flush();
  await releases.flush();
  expect(await releases.flushOne('2')).toBe(false);
  expect(released).toEqual(['first', 'second']);
  jest.useRealTimers();
});
