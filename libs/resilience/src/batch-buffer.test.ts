import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createBatchBuffer } from './batch-buffer.ts';

/** A buffer whose batches end when the test says so. */
function createTestBuffer(options: { maxBatchSize: number; maxWaitMs: number }) {
  const batches: number[][] = [];
  const ends: (() => void)[] = [];
  const buffer = createBatchBuffer<number>(options, (items) => {
    batches.push(items);
    return new Promise((resolve) => ends.push(resolve));
  });
  return { buffer, batches, endNext: () => ends.shift()?.() };
}

test('a full batch is processed without waiting', async () => {
  const { buffer, batches } = createTestBuffer({ maxBatchSize: 2, maxWaitMs: 60_000 });
  await buffer.add(1);
  expect(batches).toEqual([]);
  await buffer.add(2);
  expect(batches).toEqual([[1, 2]]);
});

test('a batch that does not fill is processed after the first item has waited', async () => {
  const { buffer, batches } = createTestBuffer({ maxBatchSize: 100, maxWaitMs: 20 });
  const startedAt = performance.now();
  await buffer.add(1);
  await buffer.add(2);
  while (batches.length === 0) await sleep(1);
  expect(performance.now() - startedAt).toBeGreaterThan(15);
  expect(batches).toEqual([[1, 2]]);
});

test('one batch runs at a time; the next starts when it ends', async () => {
  const { buffer, batches, endNext } = createTestBuffer({ maxBatchSize: 2, maxWaitMs: 60_000 });
  for (const item of [1, 2, 3]) await buffer.add(item);
  expect(batches).toEqual([[1, 2]]);
  endNext();
  await sleep(0);
  expect(batches).toEqual([[1, 2], [3]]);
});

test('an item waits while a whole batch is pending', async () => {
  const { buffer, batches, endNext } = createTestBuffer({ maxBatchSize: 1, maxWaitMs: 60_000 });
  await buffer.add(1);
  await buffer.add(2);
  let isAdded = false;
  const added = buffer.add(3).then(() => (isAdded = true));
  await sleep(0);
  expect(isAdded).toBe(false);
  endNext();
  await added;
  expect(batches).toEqual([[1], [2]]);
});

test('a stop processes what is pending and waits for it', async () => {
  const { buffer, batches, endNext } = createTestBuffer({ maxBatchSize: 2, maxWaitMs: 60_000 });
  for (const item of [1, 2, 3]) await buffer.add(item);
  let isStopped = false;
  const stopped = buffer.stop().then(() => (isStopped = true));
  endNext();
  await sleep(0);
  expect(batches).toEqual([[1, 2], [3]]);
  expect(isStopped).toBe(false);
  endNext();
  await stopped;
});
