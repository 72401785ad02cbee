import { normalizeSourceUrl } from '@bv/source-url';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { extract } from './extract.ts';
import { findBrands } from './mentions/find-brands.ts';
import type { TrackedBrand } from './names/tracked-brand.ts';

const letters = (alphabet: string, minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...Array.from(alphabet)), minLength, maxLength });

// Names and the text around them share no letters, so that every match is due to the name.
const name = letters('abcdeéABCDE', 2, 8).filter((text) => /[a-z]/i.test(text));
const filler = letters('nopqrtuvwxyz ,.', 0, 60);
// No case ending has a digit: "aaadu" may be a form of "aaad" in a text that is detected as Polish.
const word = fc
  .tuple(letters('nopqrtuvwxyzäöüñ0123456789', 0, 5), letters('0123456789', 1, 1))
  .map((parts) => parts.join(''));

function createBrand(text: string, index = 0): TrackedBrand {
  return { id: String(index), name: text, domain: `d${index}.example`, aliases: [], isOwn: false };
}

function extractBrands(answerText: string, brands: readonly TrackedBrand[]) {
  return extract({ answerText, sources: [], brands });
}

test('a name inside a word is never a mention', () => {
  fc.assert(
    fc.property(
      name,
      word,
      word,
      fc.constantFrom('before', 'after', 'both'),
      filler,
      (brand, before, after, side, rest) => {
        const inside = `${side === 'after' ? '' : before}${brand}${side === 'before' ? '' : after}`;
        expect(extractBrands(`${rest} ${inside} ${rest}`, [createBrand(brand)])[0]?.mentioned).toBe(false);
      },
    ),
    { numRuns: 500 },
  );
});

test('a name as a separate word is always a mention, in upper and lower case', () => {
  const edge = fc.constantFrom('', ' ', '(', '"', '*', '- ', '\n', '。', '¿');
  const end = fc.constantFrom('', ' ', ')', '"', '*', '.', ',', "'s", '’s', '!', '\n', '。');
  fc.assert(
    fc.property(name, edge, end, fc.boolean(), (brand, before, after, upper) => {
      const written = upper ? brand.toUpperCase() : brand;
      expect(extractBrands(`${before}${written}${after}`, [createBrand(brand)])[0]).toMatchObject({
        mentioned: true,
        position: 1,
      });
    }),
    { numRuns: 500 },
  );
});

test('positions are a ranking without gaps, and unrelated text does not change them', () => {
  const brands = ['Abc', 'Bead', 'Cade', 'Dace', 'Ebba'].map(createBrand);
  const order = fc.shuffledSubarray(brands, { minLength: 1 });
  fc.assert(
    fc.property(order, fc.array(filler, { minLength: 6, maxLength: 6 }), (named, between) => {
      const text = named.map((brand, index) => `${between[index] ?? ''}. ${brand.name}`).join('. ');
      const results = extractBrands(`${between[5] ?? ''}. ${text}. ${between[0] ?? ''}`, brands);
      const ranked = results
        .filter((result) => result.mentioned)
        .toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0));
      expect(ranked.map((result) => result.brandId)).toEqual(named.map((brand) => brand.id));
      expect(ranked.map((result) => result.position)).toEqual(ranked.map((_, index) => index + 1));
      expect(results.every((result) => result.mentioned === (result.position !== null))).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test('among several brands, an occurrence is missing exactly if it is inside a longer one of another brand', () => {
  const brands = ['Abc', 'Bead', 'Abc Bead', 'Bead Cade', 'Cade Abc Bead', 'ABC'].map(createBrand);
  const words = fc.array(fc.constantFrom('Abc', 'Bead', 'Cade', 'and', '.'), { maxLength: 20 });
  fc.assert(
    fc.property(words, (named) => {
      const text = named.join(' ');
      const alone = brands.flatMap((brand) => findBrands(text, [brand]).matches);
      const spans = alone.flat();
      const expected = alone.map((own) =>
        own.filter(
          ({ start, end }) =>
            !spans.some(
              (other) => other.start <= start && end <= other.end && other.end - other.start > end - start,
            ),
        ),
      );
      expect(findBrands(text, brands).matches).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});

test('every text gives results within the scale, and the same text gives the same results', () => {
  const brands = [
    createBrand('Acme', 1),
    createBrand('X', 2),
    createBrand('トヨタ', 3),
    createBrand('삼성', 4),
    createBrand("L'Oréal", 5),
  ];
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom('Acme', 'X', 'トヨタ', '삼성', '[', '](', '(', ')', 'https://', '|'),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join('');
      const results = extractBrands(text, brands);
      expect(extractBrands(text, [...brands])).toEqual(results);
      for (const { mentioned, mentionCount, sentiment } of results) {
        expect(mentionCount > 0).toBe(mentioned);
        expect(sentiment === null).toBe(!mentioned);
        if (sentiment !== null) expect(sentiment >= 0 && sentiment <= 100).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});

test('normalising a URL is idempotent, with and without tracking parameters', () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (raw) => {
      const once = normalizeSourceUrl(raw);
      if (once === null) return;
      expect(normalizeSourceUrl(once.url)).toEqual(once);
      const tracked = new URL(once.url);
      tracked.search += `${tracked.search === '' ? '?' : '&'}utm_source=openai`;
      tracked.hash = 'top';
      expect(normalizeSourceUrl(tracked.href)).toEqual(once);
    }),
    { numRuns: 500 },
  );
});
