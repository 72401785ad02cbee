import { expect, test } from '@jest/globals';
import type { BrandFinding, UnitFindings } from './reread-unit.ts';
import { compareFindings, type UnitDifference } from './unit-difference.ts';

const mentioned: BrandFinding = {
  brand_id: 'acme',
  name: 'Acme',
  domain: 'acme.example',
  is_own: true,
  mentioned: true,
  mention_count: 2,
  position: 1,
  sentiment: 62.5,
  cited: true,
  evidence: [0, 4, 9, 13],
  means_brand: null,
};
const absent: BrandFinding = {
  ...mentioned,
  brand_id: 'globex',
  mentioned: false,
  mention_count: 0,
  position: null,
  sentiment: null,
  evidence: [],
};
const findings = (brands: BrandFinding[], overrides: Partial<UnitFindings> = {}): UnitFindings => ({
  brands,
  sentiment_method: 'lexicon',
  mention_method: 'words',
  ...overrides,
});
const current = findings([mentioned, absent]);
const isChanged = (difference: UnitDifference | null): boolean | null =>
  difference && !difference.hashAfter.startsWith(difference.hashBefore);

test.each<[string, UnitFindings]>([
  ['the same findings', current],
  ['another order', findings([absent, mentioned])],
  ['no mention method', findings([mentioned, absent], { mention_method: null })],
  ['no evidence of an absent brand', findings([mentioned, { ...absent, evidence: null }])],
])('nothing differs: %s', (_name, stored) => {
  expect(compareFindings(stored, current)).toBeNull();
});

test.each<[string, Partial<BrandFinding>]>([
  ['evidence is added', { evidence: null }],
  ['the brand was renamed', { name: 'Apex', domain: 'apex.example' }],
  ['the meaning is known', { means_brand: true }],
])('rows differ, but clients see the same: %s', (_name, change) => {
  const difference = compareFindings(findings([{ ...mentioned, ...change }, absent]), current);
  expect(difference).not.toBeNull();
  expect(isChanged(difference)).toBe(false);
});

test.each<[string, UnitFindings]>([
  ['another count', findings([{ ...mentioned, mention_count: 1 }, absent])],
  ['another position', findings([{ ...mentioned, position: 2 }, absent])],
  ['another sentiment', findings([{ ...mentioned, sentiment: 62.51 }, absent])],
  ['not cited', findings([{ ...mentioned, cited: false }, absent])],
  ['other evidence', findings([{ ...mentioned, evidence: [0, 4] }, absent])],
  ['a further brand', findings([mentioned, absent, { ...absent, brand_id: 'initech' }])],
  ['a missing brand', findings([mentioned])],
  ['another sentiment method', findings([mentioned, absent], { sentiment_method: 'llm' })],
  ['another mention method', findings([mentioned, absent], { mention_method: 'words+llm' })],
])('clients see a change: %s', (_name, stored) => {
  const difference = compareFindings(stored, current);
  expect(isChanged(difference)).toBe(true);
});

test('findings without stored evidence that come back after other ones have not changed', () => {
  const stored = findings([{ ...mentioned, evidence: null }, absent]);
  const other = findings([{ ...mentioned, mention_count: 1, evidence: [20, 24] }, absent]);
  const first = compareFindings(stored, other);
  const second = compareFindings(other, current);
  expect([isChanged(first), isChanged(second)]).toEqual([true, true]);
  expect(second?.hashAfter.startsWith(first?.hashBefore ?? 'none')).toBe(true);
});
