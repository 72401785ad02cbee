import { expect, test } from '@jest/globals';
import { toBatches } from './brand-changes.ts';

test('brands are read in groups of at most 1,000 prompts, a larger one alone', () => {
  const brands = [0, 400, 600, 1, 2_000, 0, 999].map((prompts, id) => ({ id, prompts }));
  const batches = toBatches(brands).map((batch) => batch.map(({ id }) => id));
  expect(batches).toEqual([[0, 1, 2], [3], [4], [5, 6]]);
});
