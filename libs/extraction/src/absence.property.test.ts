import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { withoutAbsences } from './absence.ts';
import { absenceWords } from './absence-words/index.ts';
import { matcherFor, type BrandMatches, type TrackedBrand } from './brand-matcher.ts';
import { fold } from './fold.ts';

const brands = ['Acme', 'Globex', 'Acme Cloud'].map((name): TrackedBrand => ({
  id: name,
  name,
  domain: 'unrelated.example',
  aliases: [],
  isOwn: false,
}));

function search(text: string): { before: BrandMatches[]; after: BrandMatches[] } {
  const folded = fold(text);
  const before = matcherFor(brands, 'en')(text, folded, 'en');
  return { before, after: withoutAbsences(text, folded, before) };
}

const cues = Object.values(absenceWords).flatMap((words) => words.cues.split('|'));
/** Words of the lists, without their notation. */
const listed = Object.values(absenceWords)
  .flatMap(({ parts, statements }) =>
    [...Object.values(parts), statements].join(' ').split(/[\s|(){}*?$!^]+/),
  )
  .map((word) => word.replace(/[~[\]]/g, ''));
const piece = fc.oneof(
  fc.constantFrom('Acme', 'Globex', 'Acme Cloud', 'Initech'),
  fc.constantFrom(...cues),
  fc.constantFrom(...new Set(listed)),
  fc.constantFrom(', ', '. ', '\n', '、', '。', ': ', ' (', ')', '\uE000', '"'),
  fc.string({ unit: 'binary', maxLength: 6 }),
);

test('removing absence statements never adds an occurrence', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), fc.constantFrom(' ', ''), (pieces, space) => {
      const { before, after } = search(pieces.join(space).normalize('NFKC'));
      for (const [brand, spans] of after.entries())
        expect(before[brand]).toEqual(expect.arrayContaining(spans));
    }),
    { numRuns: 1_000 },
  );
});

test('a text without a cue keeps its occurrences', () => {
  const words = fc.constantFrom(
    'Acme',
    'Globex',
    'information',
    'about',
    'results',
    'données',
    'sur',
    '情報',
    '. ',
  );
  fc.assert(
    fc.property(fc.array(words, { maxLength: 40 }), (pieces) => {
      const { before, after } = search(pieces.join(' '));
      expect(after).toBe(before);
    }),
  );
});

test('a sentence that names no other brand does not change what is removed', () => {
  const other = fc.array(
    fc.constantFrom('It is fast.', 'Prices start at 5 €.', '他にもあります。', 'C’est tout.'),
  );
  fc.assert(
    fc.property(other, other, (before, after) => {
      const text = [...before, 'I found no information about Acme.', ...after, 'Acme is fast.'].join(' ');
      expect(search(text).after[0]).toEqual([
        { start: text.lastIndexOf('Acme'), end: text.lastIndexOf('Acme') + 4 },
      ]);
    }),
  );
});

test.each([
  'no information about Acme, ',
  'sur Acme je ne pas aucune information ',
  '没有找到关于Acme的没有信息',
])('the time for a line of "%s" is proportional to its length', (words) => {
  const costOf = (length: number): number => {
    const text = words.repeat(length / words.length);
    const folded = fold(text);
    const matches = matcherFor(brands, 'en')(text, folded, 'en');
    const start = process.cpuUsage();
    withoutAbsences(text, folded, matches);
    const { user, system } = process.cpuUsage(start);
    return user + system;
  };
  costOf(5_000);
  const short = costOf(5_000);
  // Eight times the length: 64 times the time if it were quadratic.
  expect(costOf(40_000)).toBeLessThan(24 * short + 20_000);
});
