import { ApiError } from '@bv/contract';
import type { Plan } from './plan.ts';
import type { PromptState } from './prompts.ts';

/** Active prompts of an organisation's brands that are not archived. */
export type PromptUsage = {
  prompts: number;
  /** Number of prompts by country; only countries in use. */
  countries: ReadonlyMap<string, number>;
};

type CapCode = 'prompt_cap_exceeded' | 'brand_cap_exceeded' | 'competitor_cap_exceeded';

function checkWithinCap(code: CapCode, tier: string, cap: number | null, attempted: number): void {
  if (cap !== null && attempted > cap) throw new ApiError(code, { details: { tier, cap, attempted } });
}

export function checkPromptCap({ tier, limits }: Plan, attempted: number): void {
  checkWithinCap('prompt_cap_exceeded', tier, limits.prompts, attempted);
}

export function checkBrandCap({ tier, limits }: Plan, attempted: number): void {
  checkWithinCap('brand_cap_exceeded', tier, limits.own_brands, attempted);
}

export function checkCompetitorCap({ tier, limits }: Plan, attempted: number): void {
  checkWithinCap('competitor_cap_exceeded', tier, limits.competitors_per_brand, attempted);
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

/** Throws if the change would exceed the plan. A change that leaves the prompt inactive is not checked. */
export function checkPromptCaps(
  plan: Plan,
  usage: PromptUsage,
  before: PromptState | undefined,
  after: PromptState,
): void {
  if (!after.active) return;
  if (before?.active) checkAddedCountries(plan, usage, before, after);
  else {
    checkPromptCap(plan, usage.prompts + 1);
    checkCountryCap(plan, usage.countries.keys(), after.countries);
  }
}

/** Subtracts the countries that only this prompt used. A change without a new country is always allowed. */
function checkAddedCountries(plan: Plan, usage: PromptUsage, before: PromptState, after: PromptState): void {
  if (after.countries.every((country) => usage.countries.has(country))) return;
  const others = [...usage.countries].filter(
    ([country, prompts]) => prompts > (before.countries.includes(country) ? 1 : 0),
  );
  checkCountryCap(
    plan,
    others.map(([country]) => country),
    after.countries,
  );
}

/** The usage after a prompt changes from `before` to `after`. Its brand is not archived. */
export function usageAfter(
  usage: PromptUsage,
  before: PromptState | undefined,
  after: PromptState,
): PromptUsage {
  const countries = new Map(usage.countries);
  const add = (country: string, prompts: number): void => {
    const sum = (countries.get(country) ?? 0) + prompts;
    if (sum === 0) countries.delete(country);
    else countries.set(country, sum);
  };
  const wasActive = before?.active ?? false;
  if (after.active) for (const country of after.countries) add(country, 1);
  if (wasActive) for (const country of before?.countries ?? []) add(country, -1);
  return { prompts: usage.prompts + Number(after.active) - Number(wasActive), countries };
}
