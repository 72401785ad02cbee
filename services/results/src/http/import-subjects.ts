import type { ImportedUnit } from '@bv/contract';
import type { Context } from '../context.ts';
import type { BrandRow } from '../db/brands.ts';
import type { ImportSubject } from '../domain/imported-unit.ts';
import { findFreshBrand, findKnownBrand } from './find-own-brand.ts';
import { findKnownPrompt } from './find-prompt.ts';

const REMEMBERED_LIMIT = 10_000;

/** Asks once for each id; forgets all answers before they become too many. */
function remember<T>(ask: (id: string) => Promise<T>): (id: string) => Promise<T> {
  const known = new Map<string, T>();
  return async (id) => {
    const found = known.get(id) ?? (await ask(id));
    if (known.size >= REMEMBERED_LIMIT) known.clear();
    known.set(id, found);
    return found;
  };
}

/** An own brand and what it is tracked against, as the catalog has it now: what is stored of a unit stays. */
async function trackedBrands(ctx: Context, brandId: string) {
  const own = await findFreshBrand(ctx, brandId);
  if (own === undefined) return 'brand_id: not found';
  if (!own.is_own) return 'brand_id: not an own brand';
  const competitors: BrandRow[] = [];
  for (const id of own.competitor_ids) {
    const competitor = await findKnownBrand(ctx, id);
    if (competitor !== undefined) competitors.push(competitor);
  }
  return { own, competitors };
}

/** Finds what a line is judged against, or why there is nothing. A brand or prompt is asked for once an import. */
export function importSubjects(ctx: Context): (unit: ImportedUnit) => Promise<ImportSubject | string> {
  const trackedFor = remember((id) => trackedBrands(ctx, id));
  const promptFor = remember(async (id) => (await findKnownPrompt(ctx, id)) ?? 'prompt_id: not found');
  return async (unit) => {
    const tracked = await trackedFor(unit.brand_id);
    if (typeof tracked === 'string') return tracked;
    const prompt = await promptFor(unit.prompt_id);
    if (typeof prompt === 'string') return prompt;
    return { ...tracked, orgId: tracked.own.org_id, promptBrandId: prompt.brand_id };
  };
}
