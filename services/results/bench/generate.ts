import { currentMethodVersion } from '@bv/contract';
import type { FinalisedUnit } from '../src/db/units.ts';

const dayMs = 86_400_000;
const markets = ['US', 'DE', 'FR', 'GB', 'JP'];
const platforms = ['chatgpt', 'perplexity', 'gemini', 'claude', 'ai_overviews'] as const;
export const orgId = '00000000-0000-4000-8000-00000000000a';

export type BrandLoad = {
  brandId: string;
  units: number;
  days: number;
  prompts: number;
  markets: number;
  sourcesPerUnit: number;
};

/** A unique id for every kind and number, the same in every run. */
const toId = (kind: number, number: number): string =>
  `${kind.toString(16).padStart(8, '0')}-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;

export const toBrandId = (index: number): string => toId(0xb0, index);
export const toCompetitorIds = (brand: number): string[] => [
  toId(0xc0, brand * 2),
  toId(0xc0, brand * 2 + 1),
];
export const toPromptId = (brand: number, index: number): string => toId(0x20_0000 + brand, index);
export const toDay = (today: number, daysAgo: number): string =>
  new Date(today - daysAgo * dayMs).toISOString().slice(0, 10);

/**
 * Distributes the units over the brands; `from` is the number of the first brand.
 * - First brand, for pagination: 1,000,000 units, but at most half of all.
 * - Second brand, for sources over 90 days: 100,000 units with five cited links each, but at most a tenth of all.
 * - Third brand, for slices: 500 prompts in three markets on five platforms over 90 days, but at most a tenth of all.
 * - Other brands: equal parts of the rest.
 */
export function planLoads(units: number, brands: number, from: number): BrandLoad[] {
  const paginated = Math.min(1_000_000, Math.floor(units / 2));
  const cited = Math.min(100_000, Math.floor(units / 10));
  const sliced = Math.min(500 * 3 * 5 * 90, Math.floor(units / 10));
  const others = Math.floor((units - paginated - cited - sliced) / (brands - 3));
  return Array.from({ length: brands }, (_, index) => {
    const brandId = toBrandId(from + index);
    const usual = { brandId, days: 360, prompts: 50, markets: 5, sourcesPerUnit: 1 };
    if (index === 0) return { ...usual, units: paginated };
    if (index === 1) return { ...usual, units: cited, days: 90, sourcesPerUnit: 5 };
    if (index === 2) return { ...usual, units: sliced, days: 90, prompts: 500, markets: 3 };
    return { ...usual, units: others };
  });
}

/** Units `from` to `to` of a brand, spread evenly over its days. The last day is yesterday. */
export function generateUnits(
  load: BrandLoad,
  brand: number,
  range: { from: number; to: number },
  today: number,
) {
  return Array.from({ length: range.to - range.from }, (_, offset): FinalisedUnit => {
    const index = range.from + offset;
    const runDate = toDay(today, load.days - Math.floor((index * load.days) / load.units));
    const position = index % 3 === 0 ? null : 1 + (index % 4);
    return {
      unit_id: toId(0x10_0000 + brand, index),
      job_id: null,
      org_id: orgId,
      brand_id: load.brandId,
      prompt_id: toPromptId(brand, index % load.prompts),
      platform: platforms[Math.floor(index / load.prompts) % platforms.length] ?? 'chatgpt',
      country: markets[Math.floor(index / load.prompts / platforms.length) % load.markets] ?? 'US',
      run_date: runDate,
      finalized_at: `${runDate}T06:00:00.${String(index % 1_000_000).padStart(6, '0')}Z`,
      outcome: 'answered',
      answer_text: `Answer ${index}: among the brands asked about, the first one is often named.`,
      answer_truncated: false,
      model: 'model-1',
      search_used: true,
      localization: 'native',
      search_queries: ['best brand'],
      sentiment_method: 'lexicon',
      mention_method: 'words',
      method_version: currentMethodVersion,
      brands: [load.brandId, ...toCompetitorIds(brand)].map((brand_id, place) => ({
        brand_id,
        name: `Brand ${place}`,
        domain: `brand-${brand}-${place}.example.com`,
        is_own: place === 0,
        mentioned: place > 0 || position !== null,
        mention_count: place > 0 || position !== null ? 1 : 0,
        position: place > 0 ? 5 + place : position,
        sentiment: place > 0 || position !== null ? 40 + (index % 50) : null,
        cited: index % 5 === 0,
        evidence: [],
        means_brand: null,
      })),
      sources_unresolved: 0,
      sources: Array.from({ length: load.sourcesPerUnit }, (_unused, place) => {
        const site = (index * 7 + place * 131) % 2_000;
        const url = `https://site-${site}.com/page-${(index + place) % 40}`;
        return {
          position: place + 1,
          url,
          domain: `site-${site}.com`,
          title: `Page of ${site}`,
          cited: true,
        };
      }),
    };
  });
}
