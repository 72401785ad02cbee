import { expect, it } from '@jest/globals';
import { ImportTotal } from './import-total.ts';

const outcome = (rejected: number) => ({
  imported: 1,
  duplicates: 2,
  skipped: 3,
  rejected: Array.from({ length: rejected }, (_, index) => ({ line: index + 1, error: 'no' })),
});

it('rejected lines are all counted; details are kept of the first 1,000', () => {
  const total = new ImportTotal();
  total.add(outcome(999), 0);
  expect(total.toJson()).not.toHaveProperty('more_rejected');
  total.add(outcome(2), 5_000);
  total.add(outcome(700), 10_000);
  expect(total.rejectedCount).toBe(1_701);
  const json = total.toJson();
  expect(json).toMatchObject({ imported: 3, duplicates: 6, skipped: 9, more_rejected: 701 });
  expect(json.rejected).toHaveLength(1_000);
  expect(json.rejected.at(-1)).toEqual({ line: 5_001, error: 'no' });
});
