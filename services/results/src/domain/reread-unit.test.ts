import { describe, expect, test } from '@jest/globals';
import {
  absent,
  acme,
  brand,
  find,
  globex,
  initech,
  reread,
  row,
  unit,
  verified,
} from '../../test/stored-units.ts';
import { type BrandFinding, listUnjudged, type StoredUnit } from './reread-unit.ts';

describe('a whole answer', () => {
  test('has the findings of an extraction, whatever was stored', () => {
    const stored = unit([row('acme', { position: 2, mention_count: 7, cited: true, name: 'Old' })]);
    const { brands, ...methods } = reread(stored, [acme, globex]);
    const found = find(stored, [acme, globex]);
    expect(brands).toMatchObject(
      found.map(({ brandId, mentioned, position, sentiment, cited }) => ({
        brand_id: brandId,
        mentioned,
        position,
        sentiment,
        cited,
      })),
    );
    expect(brands[0]).toMatchObject({
      name: 'Acme',
      domain: 'acme.example',
      is_own: true,
      means_brand: null,
    });
    expect(methods).toEqual({ sentiment_method: 'lexicon', mention_method: 'words' });
  });

  test('has rows of the tracked brands only, in their order', () => {
    const stored = unit([row('acme'), row('globex'), row('unlinked')]);
    const ids = reread(stored, [acme, initech, globex]).brands.map(({ brand_id }) => brand_id);
    expect(ids).toEqual(['acme', 'initech', 'globex']);
  });

  test('loses a brand that the words no longer find', () => {
    const stored = unit([row('acme'), row('globex', { position: 2 })]);
    const renamed = brand('acme', 'Apex');
    expect(reread(stored, [renamed, globex]).brands).toMatchObject([
      { ...absent, name: 'Apex' },
      { mentioned: true, position: 1 },
    ]);
  });

  test('gets a brand that an alias finds', () => {
    const stored = unit([row('acme', absent)], { answer_text: 'Try Roadrunner Traps first.' });
    const withAlias = brand('acme', 'Acme', { aliases: ['Roadrunner Traps'] });
    expect(reread(stored, [withAlias]).brands).toMatchObject([{ mentioned: true, position: 1 }]);
  });

  test('has no sentiment method if no brand is mentioned', () => {
    const stored = unit([row('acme')], { answer_text: 'Nothing.', sentiment_method: 'llm' });
    expect(reread(stored, [acme])).toMatchObject({
      brands: [absent],
      sentiment_method: null,
      mention_method: 'words',
    });
  });

  test('has citations of the stored sources', () => {
    const stored = unit([row('acme', { cited: true }), row('globex')]);
    expect(reread(stored, [acme, globex], { citedDomains: ['globex.example'] }).brands).toMatchObject([
      { cited: false },
      { cited: true },
    ]);
  });
});

describe('a truncated answer', () => {
  const truncated = (brands: BrandFinding[], overrides: Partial<StoredUnit> = {}) =>
    unit(brands, { answer_truncated: true, answer_text: 'Globex is bad. 🙂', ...overrides });

  test('keeps earlier findings that its text does not show, after the others and in their order', () => {
    const stored = truncated([
      row('acme', { position: 3, mention_count: 4, sentiment: 12 }),
      row('globex', { position: 2 }),
      row('initech', { position: 1, sentiment: 34 }),
    ]);
    expect(reread(stored, [acme, globex, initech]).brands).toMatchObject([
      { mentioned: true, mention_count: 4, position: 3, sentiment: 12 },
      { mentioned: true, position: 1 },
      { mentioned: true, position: 2, sentiment: 34 },
    ]);
  });

  test('loses a finding whose evidence lies in its text', () => {
    // 16 code points: the emoji is one of them.
    const at = (evidence: number[]) =>
      reread(truncated([row('acme', { evidence })]), [acme]).brands[0]?.mentioned;
    expect(at([0, 4])).toBe(false);
    expect(at([12, 16])).toBe(false);
    expect(at([12, 17])).toBe(true);
    expect(at([0, 4, 20, 24])).toBe(true);
    expect(at([])).toBe(true);
  });

  test('replaces a finding that its text shows', () => {
    const stored = truncated([row('globex', { position: 9, mention_count: 9, sentiment: 1 })]);
    expect(reread(stored, [globex]).brands).toMatchObject([{ position: 1, mention_count: 1 }]);
    expect(reread(stored, [globex]).brands[0]?.sentiment).not.toBe(1);
  });

  test('does not keep a finding of an unlinked brand, and none of a brand that was absent', () => {
    const stored = truncated([row('acme', absent), row('unlinked')]);
    expect(reread(stored, [acme]).brands).toEqual([expect.objectContaining(absent)]);
  });

  test('has the current citations and names also in a kept row', () => {
    const stored = truncated([row('acme', { cited: false, evidence: [40, 44], means_brand: true })]);
    expect(reread(stored, [acme], { citedDomains: ['acme.example'] }).brands).toMatchObject([
      { name: 'Acme', cited: true, evidence: [40, 44], means_brand: true, mentioned: true },
    ]);
  });

  test.each([
    ['lexicon', 'lexicon'],
    ['llm', 'llm'],
    [null, null],
  ] as const)('with kept findings alone keeps the sentiment method %p', (sentiment_method, expected) => {
    const stored = truncated([row('acme')], { sentiment_method });
    expect(reread(stored, [acme]).sentiment_method).toBe(expected);
  });

  test('is rated by the lexicon if one of its sentiments is', () => {
    const stored = truncated([row('acme')], { sentiment_method: 'llm' });
    expect(reread(stored, [acme, globex]).sentiment_method).toBe('lexicon');
  });

  test('keeps a finding of a brand to verify, which nobody can judge', () => {
    const stored = truncated([row('acme')]);
    const tracked = [brand('acme', 'Acme', verified)];
    expect(listUnjudged(stored, tracked, find(stored, tracked))).toEqual([]);
    expect(reread(stored, tracked)).toMatchObject({ brands: [{ mentioned: true }], mention_method: 'words' });
  });
});

test('reading twice gives the same, for every stored state', () => {
  const states = [null, [0, 4], [5, 9]].flatMap((evidence) =>
    [null, true, false].flatMap((means_brand) =>
      [true, false].flatMap((mentioned) =>
        (['llm', 'lexicon', null] as const).flatMap((sentiment_method) =>
          [true, false].map((answer_truncated) => ({
            answer_truncated,
            sentiment_method,
            acme: row('acme', { evidence, means_brand, ...(mentioned ? {} : absent) }),
          })),
        ),
      ),
    ),
  );
  for (const { acme: stored, ...overrides } of states) {
    for (const tracked of [[acme, initech], [brand('acme', 'Acme', verified)], [brand('acme', 'Other')]]) {
      const first = reread(unit([stored, row('initech', { position: 2 })], overrides), tracked);
      const second = reread(unit(first.brands, { ...overrides, ...first }), tracked);
      expect(second).toEqual(first);
    }
  }
});
