import { describe, expect, test } from '@jest/globals';
import { absent, acme, brand, find, globex, reread, row, unit, verified } from '../../test/stored-units.ts';
import { listUnjudged, type StoredUnit } from './reread-unit.ts';

describe('a stored judgement', () => {
  /** Where the text names Acme. */
  const acmeAt = [0, 4];
  const judged = row('acme', { sentiment: 77, evidence: acmeAt, means_brand: true });
  const tracked = [brand('acme', 'Acme', verified)];
  const unjudged = (stored: StoredUnit) => listUnjudged(stored, tracked, find(stored, tracked));
  test('holds where the words find the same occurrences', () => {
    const stored = unit([judged], { sentiment_method: 'llm' });
    expect(unjudged(stored)).toEqual([]);
    expect(reread(stored, tracked)).toMatchObject({
      brands: [{ mentioned: true, sentiment: 77, means_brand: true }],
      sentiment_method: 'llm',
      mention_method: 'words+llm',
    });
  });

  test('is void where the occurrences are others', () => {
    const stored = unit([{ ...judged, evidence: [5, 9] }], { sentiment_method: 'llm' });
    expect(unjudged(stored)).toEqual(['acme']);
    const { brands, ...methods } = reread(stored, tracked);
    expect(brands[0]).toMatchObject({ mentioned: true, means_brand: null });
    expect(brands[0]?.sentiment).not.toBe(77);
    expect(methods).toEqual({ sentiment_method: 'lexicon', mention_method: 'words' });
  });

  const denied = { ...absent, evidence: acmeAt, means_brand: false };

  test('denies again, without a new judgement', () => {
    const stored = unit([row('acme', denied)], { mention_method: 'words+llm' });
    expect(unjudged(stored)).toEqual([]);
    expect(reread(stored, tracked)).toMatchObject({
      brands: [{ ...absent, means_brand: false }],
      sentiment_method: null,
      mention_method: 'words+llm',
    });
  });

  test('that denied a brand is void if the brand need not be verified; the lexicon rates it', () => {
    const stored = unit([row('acme', denied)], { mention_method: 'words+llm' });
    const words = find(stored, [acme])[0];
    expect(reread(stored, [acme])).toMatchObject({
      brands: [{ mentioned: true, position: 1, sentiment: words?.sentiment, means_brand: null }],
      sentiment_method: 'lexicon',
      mention_method: 'words',
    });
  });

  test('denies a brand that must be verified from now on', () => {
    const stored = unit([row('acme', { evidence: acmeAt, means_brand: false })]);
    expect(unjudged(stored)).toEqual([]);
    expect(reread(stored, tracked).brands[0]).toMatchObject({ ...absent, means_brand: false });
  });
});

describe('a new judgement', () => {
  const tracked = [brand('acme', 'Acme', verified), brand('globex', 'Globex', verified)];
  const stored = unit([row('acme'), row('globex', { position: 2 })]);

  test('is required for each brand to verify that the words find', () => {
    expect(listUnjudged(stored, tracked, find(stored, tracked))).toEqual(['acme', 'globex']);
    const [first] = tracked;
    expect(listUnjudged(stored, [first!, globex], find(stored, [first!, globex]))).toEqual(['acme']);
    const other = unit([], { answer_text: 'Nothing.' });
    expect(listUnjudged(other, tracked, find(other, tracked))).toEqual([]);
  });

  test('decides, also about the sentiment', () => {
    const judgements = {
      acme: { sentiment: 10, meansBrand: false },
      globex: { sentiment: 20, meansBrand: true },
    };
    expect(reread(stored, tracked, { judgements })).toMatchObject({
      brands: [
        { ...absent, means_brand: false },
        { mentioned: true, position: 1, sentiment: 20, means_brand: true },
      ],
      sentiment_method: 'llm',
      mention_method: 'words+llm',
    });
  });

  test('of a part of the brands leaves the others to the words', () => {
    const judgements = { acme: { sentiment: 10, meansBrand: true } };
    expect(reread(stored, tracked, { judgements })).toMatchObject({
      brands: [
        { sentiment: 10, means_brand: true },
        { mentioned: true, means_brand: null },
      ],
      mention_method: 'words',
    });
  });
});
