import { expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { createNotifier, startInterval } from './interval.ts';

test('a wake without a current wait ends the next wait only', async () => {
  const notifier = createNotifier();
  notifier.wake();
  await notifier.wait(60_000);
  let second = 'waiting';
  const waiting = notifier.wait(60_000).then(() => (second = 'ended'));
  await sleep(20);
  expect(second).toBe('waiting');
  notifier.wake();
  await waiting;
  expect(second).toBe('ended');
});

test('an interval runs at once, continues after a failure, and its stop waits for the run in progress', async () => {
  const errors: unknown[] = [];
  let runs = 0;
  let finished = 0;
  const interval = startInterval(
    1,
    async () => {
      runs += 1;
      await sleep(5);
      finished += 1;
      if (runs === 1) throw new Error('the first fails');
    },
    (error) => errors.push(error),
  );
  expect(runs).toBe(1);
  while (finished < 3) await sleep(5);
  await interval.stop();
  expect(finished).toBe(runs);
  const last = runs;
  await sleep(20);
  expect(runs).toBe(last);
  expect(errors).toHaveLength(1);
});

test('stop aborts the signal of the run in progress', async () => {
  const logged = Promise.withResolvers<void>();
  const interval = startInterval(
    1,
    (stopping) => {
      stopping.addEventListener('abort', () => logged.resolve());
      return logged.promise;
    },
    () => undefined,
  );
  await interval.stop();
  await expect(logged.promise).resolves.toBeUndefined();
});
