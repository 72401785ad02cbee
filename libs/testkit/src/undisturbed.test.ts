import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { undisturbed } from './undisturbed.ts';

/** As a machine that others hold does, for longer than any loop that only waits. */
function standStill(): void {
  const until = performance.now() + 1_500;
  while (performance.now() < until);
}

test('a run that failed while the process stood still is made again', async () => {
  let runs = 0;
  const run = async (): Promise<void> => {
    runs += 1;
    await sleep(50);
    if (runs > 1) return;
    standStill();
    await sleep(50);
    throw new Error('late');
  };
  await undisturbed(run, { stallMs: 1_000 });
  expect(runs).toBe(2);
});

test('one that failed in peace has failed', async () => {
  let runs = 0;
  const run = async (): Promise<void> => {
    runs += 1;
    await sleep(50);
    throw new Error('wrong');
  };
  await expect(undisturbed(run, { stallMs: 60_000 })).rejects.toThrow('wrong');
  expect(runs).toBe(1);
});

test('one that is disturbed each time has failed', async () => {
  let runs = 0;
  const run = async (): Promise<void> => {
    runs += 1;
    await sleep(50);
    standStill();
    await sleep(50);
    throw new Error('late');
  };
  await expect(undisturbed(run, { stallMs: 1_000, attempts: 2 })).rejects.toThrow('late');
  expect(runs).toBe(2);
});
