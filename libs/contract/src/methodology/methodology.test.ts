import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { formulas, Methodology, methodVersions, Score, ShareOfVoice, Source } from '../index.ts';

/** The fields of a row, with `[]` after a list of objects. */
function listFields({ shape }: z.ZodObject): string[] {
  return Object.entries(shape).flatMap(([name, field]) => {
    const element = field instanceof z.ZodArray ? field.element : null;
    if (!(element instanceof z.ZodObject)) return [name];
    return listFields(element).map((nested) => `${name}[].${nested}`);
  });
}

/** Fields that name a row, or that no formula computes. */
const givenFields = {
  Score: [
    'brand_id',
    'run_date',
    'country',
    'platforms[].platform',
    'models[].platform',
    'models[].model',
    'window',
    'method_version',
    'computed_at',
  ],
  ShareOfVoice: ['run_date', 'brand_id', 'name', 'domain', 'is_own'],
  Source: ['domain', 'countries', 'top_pages[].url', 'top_pages[].title', 'platforms[].platform'],
};

describe.each([
  ['Score', Score],
  ['ShareOfVoice', ShareOfVoice],
  ['Source', Source],
] as const)('%s', (row, schema) => {
  test('every computed field has exactly one formula', () => {
    const computed = formulas
      .filter(({ field }) => field.startsWith(`${row}.`))
      .map(({ field }) => field.slice(row.length + 1));
    expect([...computed, ...givenFields[row]].toSorted()).toEqual(listFields(schema).toSorted());
  });
});

test('versions are numbered down to 1, newest first, with the day each began', () => {
  const numbers = methodVersions.map(({ method_version }) => method_version);
  expect(numbers).toEqual(numbers.map((_, index) => String(numbers.length - index)));
  const days = methodVersions.map(({ since }) => since);
  expect(days).toEqual(days.toSorted().toReversed());
});

test('the example is a methodology', () => {
  const examples = Methodology.meta()?.examples as unknown[];
  expect(examples).toHaveLength(1);
  for (const example of examples) expect(Methodology.parse(example)).toEqual(example);
});
