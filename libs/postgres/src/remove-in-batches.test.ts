import { expect, test } from '@jest/globals';
import { firstBatchRows, nextBatchRows, removeInBatches } from './remove-in-batches.ts';

const running = new AbortController().signal;

test('a batch that held its locks for 15 ms is followed by one as large; others move towards that time', () => {
  expect(nextBatchRows(100, 15)).toBe(100);
  expect(nextBatchRows(100, 30)).toBe(50);
  expect(nextBatchRows(100, 1_000)).toBe(10);
  expect(nextBatchRows(100, 12)).toBe(125);
  expect(nextBatchRows(100, 0)).toBe(200);
});

test('batches have 5 to 5,000 rows', () => {
  expect(nextBatchRows(4_000, 0)).toBe(5_000);
  expect(nextBatchRows(12, 500)).toBe(5);
});

test('batches follow each other until one is not full', async () => {
  const limits: number[] = [];
  const remove = async (limit: number) => {
    limits.push(limit);
    return { rows: Math.min(limit, limits.length === 3 ? 7 : limit), heldMs: limits.length === 1 ? 0 : 15 };
  };
  expect(await removeInBatches(remove, running)).toEqual({ removed: 10 + 20 + 7, isDone: true });
  expect(limits).toEqual([10, 20, 20]);
});

test('an abort ends the run after the current batch, and one before the run removes nothing', async () => {
  const halt = new AbortController();
  const remove = async (limit: number) => {
    halt.abort();
    return limit;
  };
  expect(await removeInBatches(remove, halt.signal)).toEqual({ removed: firstBatchRows, isDone: false });
  expect(await removeInBatches(remove, halt.signal)).toEqual({ removed: 0, isDone: false });
});
