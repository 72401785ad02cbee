import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { matcherFor, type BrandMatches } from '../names/brand-matcher.ts';
import type { TrackedBrand } from '../names/tracked-brand.ts';
import { fold } from '../text/fold.ts';
import { withoutAbsences } from './absences.ts';
import { absenceWords, cuesOf } from './words.ts';

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

const cues = [...absenceWords.values()].flatMap(cuesOf);
/** Words of the lists, without their notation. */
const listed = [...absenceWords.values()]
  .flatMap(({ sections: { parts, statements } }) => [...parts, ...statements])
  .flatMap(({ text }) => text.split(/[\s|(){}*?$!^]+/))
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
