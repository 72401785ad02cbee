import { expect, test } from '@jest/globals';
import { setImmediate as nextTick } from 'node:timers/promises';
import { batchPerTick } from './batch-per-tick.ts';

test('items of one tick are passed on together, in order, after the tick', async () => {
  const batches: number[][] = [];
  const add = batchPerTick<number>((items) => batches.push([...items]));
  add(1);
  await Promise.resolve();
  add(2);
  expect(batches).toEqual([]);
  await nextTick();
  expect(batches).toEqual([[1, 2]]);
});

test('items added while a batch is processed belong to the next one', async () => {
  const batches: number[][] = [];
  const add = batchPerTick<number>((items) => {
    batches.push([...items]);
    if (items.includes(1)) add(3);
  });
  add(1);
  add(2);
  await nextTick();
  await nextTick();
  expect(batches).toEqual([[1, 2], [3]]);
});
