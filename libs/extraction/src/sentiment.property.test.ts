import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { extract } from './extract.ts';
import type { TrackedBrand } from './names/tracked-brand.ts';
import { brandPassages } from './passages/passages.ts';

const brands = ['Acme', 'Globex', 'Yahoo!', 'A. O. Smith', 'トヨタ', '삼성'].map(
  (name, index): TrackedBrand => ({
    id: name,
    name,
    domain: `unrelated-${index}.example`,
    aliases: [],
    isOwn: index === 0,
  }),
);
const names = brands.map(({ name }) => name);

const markup = [
  '\n',
  '\n\n',
  '# ',
  '### ',
  '- ',
  '  - ',
  '* ',
  '1. ',
  '**',
  '| ',
  ' |\n',
  '|---|---|\n',
  '---\n',
  ': ',
  '> ',
];
const opinions = [
  'excellent',
  'terrible',
  'not',
  'better than',
  'prevents',
  'It is',
  'unlike',
  '便利',
  'ません',
  '좋',
  'schlecht',
  '4.8 stars',
  '?',
];
const piece = fc.oneof(
  fc.constantFrom(...names, ...markup, ...opinions),
  fc.string({ unit: 'binary', maxLength: 30 }),
);

test('every text gives a sentiment within the scale and bounded passages', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const text = pieces.join(' ');
      const named = new Set<number>();
      for (const [index, { mentioned, sentiment }] of extract({
        answerText: text,
        sources: [],
        brands,
      }).entries()) {
        expect(sentiment === null).toBe(!mentioned);
        if (sentiment === null) continue;
        named.add(index);
        expect(sentiment).toBeGreaterThanOrEqual(0);
        expect(sentiment).toBeLessThanOrEqual(100);
      }
      const found = brandPassages(text, brands);
      // Exactly the brands that are named have passages.
      expect(new Set(found.map(({ brand }) => brand))).toEqual(named);
      for (const { passages } of found) {
        expect(passages.length).toBeLessThanOrEqual(8);
        for (const passage of passages) expect(passage.text.length).toBeLessThanOrEqual(700);
      }
    }),
    { numRuns: 500 },
  );
});

test('a text without words that evaluate is exactly 50', () => {
  const fact = fc.constantFrom(
    'opened an office in Oslo',
    'was founded in 1998',
    'sells insurance against fire, theft and death',
    'employs 400 people',
    'treats pain and cancer',
    'has a branch on Main Street',
    'removes stains',
  );
  const name = fc.constantFrom(...names.slice(0, 4));
  const line = fc.oneof(
    fc.tuple(name, fact).map(([brand, words]) => `${brand} ${words}.`),
    fc.tuple(name, fact).map(([brand, words]) => `### ${brand}\nThe company ${words}.`),
    fc.tuple(name, fact).map(([brand, words]) => `- **${brand}**\n  - It ${words}`),
    fc.tuple(name, fact, name, fact).map(([a, first, b, second]) => `${a} ${first}, and ${b} ${second}.`),
    fc.tuple(name, fact).map(([brand, words]) => `| Name | Note |\n|---|---|\n| ${brand} | ${words} |`),
  );
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 12 }), (lines) => {
      for (const { sentiment } of extract({ answerText: lines.join('\n\n'), sources: [], brands })) {
        expect([50, null]).toContain(sentiment);
      }
    }),
    { numRuns: 300 },
  );
});

describe('time grows with the length of the text only', () => {
  const size = 400_000;
  test.each([
    ['one sentence of names', 'Acme is good and Globex, '],
    ['one sentence of comparisons', 'Acme is better than Globex '],
    ['one sentence of standards', 'than Acme '],
    ['one word', 'good '],
    ['one clause of negations', 'not '],
    ['one line of bars', '| Acme | good '],
    ['rows', '| Acme | good |\n'],
    ['headings', '# Acme\nIt is good.\n'],
    ['nested lists', '- Acme\n  - good\n    - bad\n'],
    ['bold lines', '**Acme**\n'],
    ['asterisks', '*'],
    ['hashes', '#'],
    ['spaces', ' '],
    ['line breaks', '\n'],
    ['full stops', 'Acme. '],
    ['words without spaces', '好用不'],
    ['one long word', 'excellent'],
    ['stars', '★'],
    ['gaps of a phrase', 'won the '],
  ])(
    '%s',
    (_name, unit) => {
      const text = `Acme ${unit.repeat(size / unit.length)}`;
      const startedAt = performance.now();
      extract({ answerText: text, sources: [], brands });
      brandPassages(text, brands);
      expect(performance.now() - startedAt).toBeLessThan(20_000);
    },
    60_000,
  );
});
