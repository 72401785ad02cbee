import { expect, test } from '@jest/globals';
import { firstBatchRows, nextBatchRows, shrinkBatch, toMaxMs } from './limited-batches.ts';

test('a batch that held its locks for 15 ms is followed by one as large; others move towards that time', () => {
  expect(nextBatchRows(100, 15)).toBe(100);
  expect(nextBatchRows(100, 30)).toBe(50);
  expect(nextBatchRows(100, 1_000)).toBe(25);
  expect(nextBatchRows(100, 12)).toBe(125);
  expect(nextBatchRows(100, 0)).toBe(200);
});

test('batches have 5 to 5,000 rows', () => {
  expect(nextBatchRows(4_000, 0)).toBe(5_000);
  expect(nextBatchRows(12, 500)).toBe(5);
  expect(shrinkBatch(firstBatchRows)).toBe(12);
  expect(shrinkBatch(12)).toBe(5);
});

test('a batch may take 20 ms; the smallest one gets more each time, and no limit at the end', () => {
  expect(toMaxMs(6, 9)).toBe(20);
  expect([0, 1, 2, 3, 4, 5, 6].map((cancelled) => toMaxMs(5, cancelled))).toEqual([20, 40, 80, 80, 80, 0, 0]);
});
