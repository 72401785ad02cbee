import { extract, type TrackedBrand } from '@bv/extraction';
import { type BrandFinding, rereadUnit, type StoredUnit } from '../src/domain/reread-unit.ts';

export const rules = { caseSensitive: false, exclude: [], verify: false };
export const brand = (id: string, name: string, overrides: Partial<TrackedBrand> = {}): TrackedBrand => ({
  id,
  name,
  domain: `${id}.example`,
  aliases: [],
  isOwn: id === 'acme',
  match: rules,
  ...overrides,
});
export const verified = { match: { ...rules, verify: true } };
export const acme = brand('acme', 'Acme');
export const globex = brand('globex', 'Globex');
export const initech = brand('initech', 'Initech');

export const text = 'Acme is good. Globex is bad.';

/** The row of a brand that is mentioned once. */
export const row = (brand_id: string, overrides: Partial<BrandFinding> = {}): BrandFinding => ({
  brand_id,
  name: brand_id,
  domain: `${brand_id}.example`,
  is_own: brand_id === 'acme',
  mentioned: true,
  mention_count: 1,
  position: 1,
  sentiment: 90,
  cited: false,
  evidence: null,
  means_brand: null,
  ...overrides,
});
export const absent = { mentioned: false, mention_count: 0, position: null, sentiment: null };
export const unit = (brands: BrandFinding[], overrides: Partial<StoredUnit> = {}): StoredUnit => ({
  answer_text: text,
  answer_truncated: false,
  sentiment_method: 'lexicon',
  mention_method: null,
  brands,
  ...overrides,
});

export const find = (stored: StoredUnit, tracked: TrackedBrand[], citedDomains: string[] = []) =>
  extract({
    answerText: stored.answer_text,
    sources: citedDomains.map((domain) => ({ domain, cited: true })),
    brands: tracked,
  });
type Options = {
  judgements?: Record<string, { sentiment: number; meansBrand: boolean }>;
  citedDomains?: string[];
};
export const reread = (
  stored: StoredUnit,
  tracked: TrackedBrand[],
  { judgements = {}, citedDomains }: Options = {},
) => rereadUnit(stored, tracked, find(stored, tracked, citedDomains), new Map(Object.entries(judgements)));
