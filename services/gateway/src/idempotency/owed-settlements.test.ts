import { expect, jest, test } from '@jest/globals';
import { createOwedSettlements } from './owed-settlements.ts';

test('what is owed is paid however long the database was away, oldest first and once', async () => {
  jest.useFakeTimers({ advanceTimers: false });
  const owed = createOwedSettlements();
  const paid: string[] = [];
  let away = true;
  const action = (name: string) => async (): Promise<void> => {
    if (away) throw new Error('away');
    paid.push(name);
  };
  await expect(owed.settle('1', action('first'))).rejects.toThrow('away');
  owed.owe('2', action('second'));
  // Many times any lease.
  jest.advanceTimersByTime(24 * 60 * 60 * 1_000);
  await expect(owed.pay()).rejects.toThrow('away');
  away = false;
  await owed.pay();
  await owed.pay();
  expect(await owed.payFor('2')).toBe(false);
  expect(paid).toEqual(['first', 'second']);
  jest.useRealTimers();
});
