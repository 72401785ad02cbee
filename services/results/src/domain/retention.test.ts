import { expect, test } from '@jest/globals';
import { isTextKept, isUnitKept } from './retention.ts';

test('a text is kept no longer than its unit', () => {
  const kept = { units_from: '2026-11-10', texts_from: '2026-11-01' };
  expect(isUnitKept(kept, '2026-11-10')).toBe(true);
  expect(isTextKept(kept, '2026-11-09')).toBe(false);
  expect(isTextKept({ units_from: null, texts_from: null }, '2015-01-01')).toBe(true);
});
