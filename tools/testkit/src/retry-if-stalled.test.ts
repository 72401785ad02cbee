import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { retryIfStalled } from './retry-if-stalled.ts';

/** Blocks the event loop for 1.5 s, longer than a loop that only waits is ever delayed. */
function stallEventLoop(): void {
  const until = performance.now() + 1_500;
  while (performance.now() < until);
}

test('retries a run that failed while the event loop was stalled', async () => {
  let runs = 0;
  const run = async (): Promise<void> => {
    runs += 1;
    await sleep(50);
    if (runs > 1) return;
    stallEventLoop();
    await sleep(50);
    throw new Error('late');
  };
  await retryIfStalled(run, { stallMs: 1_000 });
  expect(runs).toBe(2);
});

test('does not retry a run that failed without a stall', async () => {
  let runs = 0;
  const run = async (): Promise<void> => {
    runs += 1;
    await sleep(50);
    throw new Error('wrong');
  };
  await expect(retryIfStalled(run, { stallMs: 60_000 })).rejects.toThrow('wrong');
  expect(runs).toBe(1);
});

test('fails when every attempt was stalled', async () => {
  let runs = 0;
  const run = async (): Promise<void> => {
    runs += 1;
    await sleep(50);
    stallEventLoop();
    await sleep(50);
    throw new Error('late');
  };
  await expect(retryIfStalled(run, { stallMs: 1_000, attempts: 2 })).rejects.toThrow('late');
  expect(runs).toBe(2);
});
