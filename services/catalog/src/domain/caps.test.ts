import { describe, expect, test } from '@jest/globals';
import { checkPromptCaps, type PromptUsage } from './caps.ts';
import { type Limits, type Plan, toPlan } from './plan.ts';
import type { PromptState } from './prompts.ts';

const limits: Limits = {
  api_access: true,
  on_demand_scans: true,
  prompts: 2,
  own_brands: 1,
  countries: 2,
  competitors_per_brand: 1,
  manual_scans: 0,
};
const plan: Plan = { tier: 'trial', limits };
const state = (fields: Partial<PromptState> = {}): PromptState => ({
  countries: ['US'],
  platforms: ['claude'],
  tags: [],
  active: true,
  ...fields,
});
const usage = (prompts: number, countries: Record<string, number>): PromptUsage => ({
  prompts,
  countries: new Map(Object.entries(countries)),
});
const getCode = (check: () => void): unknown => {
  try {
    check();
    return undefined;
  } catch (error) {
    return (error as { code: unknown }).code;
  }
};

describe('checkPromptCaps', () => {
  test.each<[string, unknown, PromptUsage, PromptState | undefined, PromptState]>([
    ['a new prompt within both limits', undefined, usage(1, { US: 1 }), undefined, state()],
    [
      'a new prompt above the prompt limit',
      'prompt_cap_exceeded',
      usage(2, { US: 2 }),
      undefined,
      state({ countries: ['FR', 'GB'] }),
    ],
    [
      'a new prompt above the country limit',
      'country_cap_exceeded',
      usage(1, { US: 1 }),
      undefined,
      state({ countries: ['FR', 'GB'] }),
    ],
    [
      'a new prompt in a country in use, already above the limit',
      'country_cap_exceeded',
      usage(1, { US: 1, DE: 1, FR: 1 }),
      undefined,
      state(),
    ],
    [
      'an inactive prompt at any usage',
      undefined,
      usage(9, { US: 9, DE: 1, FR: 1 }),
      undefined,
      state({ active: false }),
    ],
    [
      'a reactivation above the prompt limit',
      'prompt_cap_exceeded',
      usage(2, { US: 2 }),
      state({ active: false }),
      state(),
    ],
    [
      'a change of an active prompt does not count as new',
      undefined,
      usage(9, { US: 9 }),
      state(),
      state({ tags: ['x'] }),
    ],
    [
      'removed countries free the limit',
      undefined,
      usage(1, { US: 1, DE: 1 }),
      state({ countries: ['US', 'DE'] }),
      state({ countries: ['FR', 'GB'] }),
    ],
    [
      'removed countries that other prompts use do not',
      'country_cap_exceeded',
      usage(2, { US: 2, DE: 1 }),
      state({ countries: ['US', 'DE'] }),
      state({ countries: ['FR', 'GB'] }),
    ],
    [
      'removing countries while above the limit',
      undefined,
      usage(1, { US: 1, DE: 1, FR: 1 }),
      state({ countries: ['US', 'DE', 'FR'] }),
      state({ countries: ['US'] }),
    ],
  ])('%s', (_, code, used, before, after) => {
    expect(getCode(() => checkPromptCaps(plan, used, before, after))).toBe(code);
  });
});

test('toPlan: overrides win, null is unlimited, omitted limits are those of the tier', () => {
  const org = {
    tier: 'trial',
    tier_limits: limits,
    overrides: { prompts: null, api_access: false, countries: undefined },
  };
  expect(toPlan(org).limits).toEqual({ ...limits, prompts: null, api_access: false });
});
