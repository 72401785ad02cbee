import type { ImportedUnit } from '@bv/contract';
import type { Context } from '../context.ts';
import type { BrandRow } from '../db/brands.ts';
import { findKeptDays } from '../db/retention.ts';
import { findTrackedBrands, toTrackedBrand } from '../db/tracked-brands.ts';
import type { ImportSubject } from '../domain/imported-unit.ts';
import { fetchBrand, findOrFetchBrand, findOrFetchPrompt } from './projections.ts';

const maxMemoized = 10_000;

/** Loads each id once. Clears the cache when it is full, to bound its memory. */
function memoize<T>(load: (id: string) => Promise<T>): (id: string) => Promise<T> {
  const cache = new Map<string, T>();
  return async (id) => {
    const value = cache.get(id) ?? (await load(id));
    if (cache.size >= maxMemoized) cache.clear();
    cache.set(id, value);
    return value;
  };
}

/**
 * An own brand and its competitors, or why there is none. Reads the catalog's current state, because units keep the
 * brands they are stored with.
 */
async function findSubjectBrands(ctx: Context, brandId: string) {
  const own = await fetchBrand(ctx, brandId);
  if (own === undefined) return 'brand_id: not found';
  if (!own.is_own) return 'brand_id: not an own brand';
  const competitors: BrandRow[] = [];
  for (const id of own.competitor_ids) {
    const competitor = await findOrFetchBrand(ctx, id);
    if (competitor !== undefined) competitors.push(competitor);
  }
  const { units_from: unitsFrom } = await findKeptDays(ctx.pool, own.id);
  const { brands } = await findTrackedBrands(ctx.pool, own.id);
  return { own, competitors, tracked: brands.map(toTrackedBrand), unitsFrom };
}

/**
 * Returns a function that finds the brands and the prompt of a line, or why there are none. Each brand and prompt is
 * looked up once in an import.
 */
export function createSubjectFinder(ctx: Context): (unit: ImportedUnit) => Promise<ImportSubject | string> {
  const findTracked = memoize((id) => findSubjectBrands(ctx, id));
  const findPrompt = memoize(async (id) => (await findOrFetchPrompt(ctx, id)) ?? 'prompt_id: not found');
  return async (unit) => {
    const tracked = await findTracked(unit.brand_id);
    if (typeof tracked === 'string') return tracked;
    const prompt = await findPrompt(unit.prompt_id);
    if (typeof prompt === 'string') return prompt;
    return { ...tracked, orgId: tracked.own.org_id, promptBrandId: prompt.brand_id };
  };
}
