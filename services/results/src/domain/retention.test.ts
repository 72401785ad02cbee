import { expect, test } from '@jest/globals';
import { firstBatchUnits, isTextKept, isUnitKept, nextBatchUnits, shrinkBatch } from './retention.ts';

test('a batch that held its lock for 25 ms is repeated with as many units; others move towards that time', () => {
  expect(nextBatchUnits(100, 25)).toBe(100);
  expect(nextBatchUnits(100, 50)).toBe(50);
  expect(nextBatchUnits(100, 1_000)).toBe(25);
  expect(nextBatchUnits(100, 20)).toBe(125);
  expect(nextBatchUnits(100, 0)).toBe(200);
});

test('batches have 10 to 5,000 units', () => {
  expect(nextBatchUnits(4_000, 0)).toBe(5_000);
  expect(nextBatchUnits(12, 500)).toBe(10);
  expect(shrinkBatch(firstBatchUnits)).toBe(25);
  expect(shrinkBatch(25)).toBe(10);
});

test('a text is kept no longer than its unit', () => {
  const kept = { units_from: '2026-11-10', texts_from: '2026-11-01' };
  expect(isUnitKept(kept, '2026-11-10')).toBe(true);
  expect(isTextKept(kept, '2026-11-09')).toBe(false);
  expect(isTextKept({ units_from: null, texts_from: null }, '2015-01-01')).toBe(true);
});
