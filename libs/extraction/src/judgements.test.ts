import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { extract } from './extract.ts';
import { applyJudgements, type Judgement } from './judgements.ts';
import type { TrackedBrand } from './names/tracked-brand.ts';

const names = ['Acme', 'Globex', 'Initech', 'Umbrella', 'Hooli'];

type Case = {
  brands: TrackedBrand[];
  results: ReturnType<typeof extract>;
  judgements: ReadonlyMap<number, Judgement>;
};

function createBrands(verified: readonly boolean[]): TrackedBrand[] {
  return names.map((name, index) => ({
    id: name,
    name,
    domain: `${name.toLowerCase()}.example`,
    aliases: [],
    isOwn: index === 0,
    match: { caseSensitive: false, exclude: [], verify: verified[index] === true },
  }));
}

const findIn = (answerText: string, brands: readonly TrackedBrand[]) =>
  extract({ answerText, sources: [], brands });

const judgement = fc.record({
  sentiment: fc.integer({ min: 0, max: 100 }),
  meansBrand: fc.boolean(),
});

/** An answer that names some brands in any order, rules, and judgements of some of them. */
const anyCase = fc
  .record({
    named: fc.shuffledSubarray(names),
    verified: fc.array(fc.boolean(), { minLength: names.length, maxLength: names.length }),
    judged: fc.dictionary(fc.constantFrom(...names.map((_, index) => String(index))), judgement),
  })
  .map(({ named, verified, judged }): Case => {
    const brands = createBrands(verified);
    const results = findIn(named.map((name) => `${name} is good.`).join(' '), brands);
    return {
      brands,
      results,
      judgements: new Map(Object.entries(judged).map(([key, value]) => [Number(key), value])),
    };
  });

const apply = ({ results, brands, judgements }: Case) => applyJudgements(results, brands, judgements);

const isDenied = ({ results, brands, judgements }: Case, index: number): boolean =>
  results[index]?.mentioned === true &&
  brands[index]?.match?.verify === true &&
  judgements.get(index)?.meansBrand === false;

const check = (property: (input: Case) => void) => fc.assert(fc.property(anyCase, property));

describe('any judgements', () => {
  test('leave positions from 1 without gaps, in the order of the text', () => {
    check((input) => {
      const judged = apply(input);
      const counted = judged.brands.filter(({ mentioned }) => mentioned);
      const byText = input.results
        .filter((_, index) => judged.brands[index]?.mentioned)
        .toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0));
      expect(
        byText.map(({ brandId }) => counted.find((brand) => brand.brandId === brandId)?.position),
      ).toEqual(byText.map((_, index) => index + 1));
      expect(judged.brands.every(({ mentioned, position }) => mentioned === (position !== null))).toBe(true);
    });
  });

  test('remove exactly the denied brands to verify, which keep their evidence', () => {
    check((input) => {
      for (const [index, brand] of apply(input).brands.entries()) {
        const words = input.results[index];
        if (isDenied(input, index)) {
          expect(brand).toEqual({
            ...words,
            mentioned: false,
            mentionCount: 0,
            position: null,
            sentiment: null,
            meansBrand: false,
          });
        } else {
          const { mentioned, mentionCount, cited, evidence } = brand;
          expect({ mentioned, mentionCount, cited, evidence }).toEqual({
            mentioned: words?.mentioned,
            mentionCount: words?.mentionCount,
            cited: words?.cited,
            evidence: words?.evidence,
          });
        }
      }
    });
  });

  test('without a brand to verify change nothing but sentiments and whether brands are meant', () => {
    check((input) => {
      const brands = createBrands([]);
      const judged = applyJudgements(input.results, brands, input.judgements);
      expect(judged.mentionMethod).toBe('words');
      expect(
        judged.brands.map(({ meansBrand: _means, ...brand }) => ({ ...brand, sentiment: null })),
      ).toEqual(input.results.map((result) => ({ ...result, sentiment: null })));
    });
  });

  test('give a mentioned brand the sentiment of its judgement, or else of the lexicon', () => {
    check((input) => {
      for (const [index, { mentioned, sentiment, meansBrand }] of apply(input).brands.entries()) {
        const of = input.results[index]?.mentioned ? input.judgements.get(index) : undefined;
        expect(meansBrand).toBe(of?.meansBrand ?? null);
        if (mentioned) expect(sentiment).toBe(of?.sentiment ?? input.results[index]?.sentiment);
      }
    });
  });

  test('are part of the method of mentions if each found brand to verify has one', () => {
    check((input) => {
      const toVerify = input.results.flatMap(({ mentioned }, index) =>
        mentioned && input.brands[index]?.match?.verify === true ? index : [],
      );
      const isJudged = toVerify.length > 0 && toVerify.every((index) => input.judgements.has(index));
      expect(apply(input).mentionMethod).toBe(isJudged ? 'words+llm' : 'words');
    });
  });

  test('are the method of sentiments if each mentioned brand has one', () => {
    check((input) => {
      const { brands, sentimentMethod } = apply(input);
      const mentioned = brands.flatMap((brand, index) => (brand.mentioned ? index : []));
      const isRated = mentioned.every((index) => input.judgements.has(index));
      expect(sentimentMethod).toBe(mentioned.length === 0 ? null : isRated ? 'llm' : 'lexicon');
    });
  });

  test.each([
    ['no judgements', null],
    ['judgements of no brand', new Map<number, Judgement>()],
  ])('%s leave what the words found', (_what, judgements) => {
    check(({ results, brands }) => {
      expect(applyJudgements(results, brands, judgements)).toEqual({
        brands: results.map((result) => ({ ...result, meansBrand: null })),
        mentionMethod: 'words',
        sentimentMethod: results.some(({ mentioned }) => mentioned) ? 'lexicon' : null,
      });
    });
  });
});

test('a denied brand makes room: the next brand moves up', () => {
  const brands = createBrands([true]);
  const results = findIn('Acme is good. Globex is good.', brands);
  const judgements = new Map([[0, { sentiment: 90, meansBrand: false }]]);
  const { brands: judged, mentionMethod, sentimentMethod } = applyJudgements(results, brands, judgements);
  expect(judged.slice(0, 2)).toMatchObject([
    { mentioned: false, position: null, sentiment: null, meansBrand: false },
    { mentioned: true, position: 1, meansBrand: null },
  ]);
  expect({ mentionMethod, sentimentMethod }).toEqual({
    mentionMethod: 'words+llm',
    sentimentMethod: 'lexicon',
  });
});

test('a brand to verify that has no judgement counts by its words, and the method says so', () => {
  const brands = createBrands([true, true]);
  const results = findIn('Acme is good. Globex is good.', brands);
  const judgements = new Map([[0, { sentiment: 90, meansBrand: true }]]);
  expect(applyJudgements(results, brands, judgements)).toMatchObject({
    brands: [{ mentioned: true }, { mentioned: true }, {}, {}, {}],
    mentionMethod: 'words',
  });
});

test('a brand without verify counts whatever its judgement, which is kept', () => {
  const brands = createBrands([]);
  const judgements = new Map([[0, { sentiment: 10, meansBrand: false }]]);
  const { brands: judged } = applyJudgements(findIn('Acme is good.', brands), brands, judgements);
  expect(judged[0]).toMatchObject({ mentioned: true, position: 1, sentiment: 10, meansBrand: false });
});
