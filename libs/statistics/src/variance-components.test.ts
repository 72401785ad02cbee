import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type ObservedCell, varianceComponents } from './variance-components.ts';

const cell = fc.integer({ min: 1, max: 9 }).chain((n) =>
  fc.record({
    prompt: fc.integer({ min: 1, max: 8 }).map((number) => `prompt-${number}`),
    stratum: fc.constantFrom('DE/chatgpt', 'US/chatgpt', 'US/gemini'),
    n: fc.constant(n),
    sum: fc.integer({ min: 0, max: n }).map((mentioned) => 100 * mentioned),
  }),
);
/** Answers that mention the brand are 100, others 0. */
const cells: fc.Arbitrary<ObservedCell[]> = fc
  .uniqueArray(cell, { minLength: 2, maxLength: 24, selector: ({ prompt, stratum }) => prompt + stratum })
  .map((all) => all.map((each) => ({ ...each, squares: 100 * each.sum })));

test('the components without a prompt are those of the other prompts', () => {
  fc.assert(
    fc.property(cells, (given) => {
      const prompts = [...new Set(given.map(({ prompt }) => prompt))];
      const { omitted } = varianceComponents(given);
      expect(omitted).toHaveLength(prompts.length);
      for (const [index, prompt] of prompts.entries()) {
        const { all } = varianceComponents(given.filter((each) => each.prompt !== prompt));
        const found = omitted[index];
        expect(found === null).toBe(all === null);
        for (const name of ['prompt', 'stratum', 'promptByStratum', 'repeat'] as const) {
          if (all) expect(found![name]).toBeCloseTo(all[name], 4);
        }
      }
    }),
  );
});

test('a balanced one-way design has the closed form of the analysis of variance', () => {
  // Two answers to each of three prompts: 100 and 100, 100 and 0, 0 and 0.
  const given = [2, 1, 0].map((mentioned, index) => ({
    prompt: `prompt-${index}`,
    stratum: 'US/chatgpt',
    n: 2,
    sum: 100 * mentioned,
    squares: 10_000 * mentioned,
  }));
  // Mean squares: between 2 x 5000 / 2, within 5000 / 3.
  const { all } = varianceComponents(given);
  expect(all!.repeat).toBeCloseTo(5_000 / 3, 9);
  expect(all!.prompt).toBeCloseTo((5_000 - 5_000 / 3) / 2, 9);
  expect(all).toMatchObject({ stratum: 0, promptByStratum: 0 });
});

test('without repeats nothing can be told apart', () => {
  const once = ['a', 'b'].map((prompt) => ({ prompt, stratum: 's', n: 1, sum: 100, squares: 10_000 }));
  expect(varianceComponents(once).all).toBeNull();
});
