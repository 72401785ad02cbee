import { ApiError } from '@bv/contract';
import type { Plan } from './plan.ts';

/** Active prompts of an organisation's brands that are not archived. */
export type PromptUsage = {
  prompts: number;
  /** Number of prompts by country; only countries in use. */
  countries: ReadonlyMap<string, number>;
};

type CapCode = 'prompt_cap_exceeded' | 'brand_cap_exceeded' | 'competitor_cap_exceeded';

function assertWithinCap(code: CapCode, tier: string, cap: number | null, attempted: number): void {
  if (cap !== null && attempted > cap) throw new ApiError(code, { details: { tier, cap, attempted } });
}

export function checkPromptCap({ tier, limits }: Plan, attempted: number): void {
  assertWithinCap('prompt_cap_exceeded', tier, limits.prompts, attempted);
}

export function checkBrandCap({ tier, limits }: Plan, attempted: number): void {
  assertWithinCap('brand_cap_exceeded', tier, limits.own_brands, attempted);
}

export function checkCompetitorCap({ tier, limits }: Plan, attempted: number): void {
  assertWithinCap('competitor_cap_exceeded', tier, limits.competitors_per_brand, attempted);
}

/** Compares the limit with the union of the countries in use and the requested ones. */
export function checkCountryCap(
  { tier, limits }: Plan,
  inUse: Iterable<string>,
  requested: readonly string[],
): void {
  const used = new Set(inUse);
  const attempted = new Set([...used, ...requested]).size;
  const cap = limits.countries;
  if (cap === null || attempted <= cap) return;
  throw new ApiError('country_cap_exceeded', {
    details: {
      tier,
      cap,
      attempted,
      countries_in_use: [...used].sort(),
      countries_requested: [...requested].sort(),
    },
  });
}
