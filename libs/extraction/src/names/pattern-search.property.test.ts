import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { searchFor } from './pattern-search.ts';

const piece = fc.constantFrom('a', 'b', ' ', '한', '😀', 'a'.repeat(31), 'ab'.repeat(15), '한글'.repeat(16));
const written = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''));

test('finds every occurrence of every text, short or long', () => {
  fc.assert(
    fc.property(fc.array(written, { minLength: 1, maxLength: 12 }), fc.array(piece), (texts, pieces) => {
      const text = [...pieces, ...texts].join('');
      const values = texts.map((each, id) => ({ id, text: each }));
      const expected = values.flatMap(({ id, text: part }) =>
        placesOf(part, text).map((start) => `${start}-${start + part.length} ${id}`),
      );
      const found = searchFor(values)(text).map(({ start, end, value }) => `${start}-${end} ${value.id}`);
      expect(found.toSorted()).toEqual(expected.toSorted());
    }),
    { numRuns: 500 },
  );
});

function placesOf(part: string, text: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) places.push(at);
  return places;
}
