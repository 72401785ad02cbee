import { expect, test } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { perTurn } from './per-turn.ts';

test('what one turn brings is handed over together, in its order, and not before the turn ends', async () => {
  const taken: number[][] = [];
  const add = perTurn<number>((items) => taken.push([...items]));
  add(1);
  await Promise.resolve();
  add(2);
  expect(taken).toEqual([]);
  await nextTurn();
  expect(taken).toEqual([[1, 2]]);
});

test('what comes while a turn is handed over belongs to the next', async () => {
  const taken: number[][] = [];
  const add = perTurn<number>((items) => {
    taken.push([...items]);
    if (items.includes(1)) add(3);
  });
  add(1);
  add(2);
  await nextTurn();
  await nextTurn();
  expect(taken).toEqual([[1, 2], [3]]);
});
