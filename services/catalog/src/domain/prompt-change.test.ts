import { describe, expect, test } from '@jest/globals';
import type { PromptUsage } from './caps.ts';
import type { Limits, Plan } from './plan.ts';
import { toPlan } from './plan.ts';
import {
  getPromptAction,
  checkPromptCaps,
  isDeactivation,
  applyPatch,
  type PromptState,
} from './prompt-change.ts';
import { desiredState } from './sync-row.ts';

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

describe('getPromptAction', () => {
  test.each([
    ['created', undefined, state()],
    ['unchanged', state({ countries: ['US', 'DE'] }), state({ countries: ['DE', 'US'] })],
    ['updated', state(), state({ tags: ['x'] })],
    ['updated', state({ tags: ['x', 'y'] }), state({ tags: ['x'] })],
    ['reactivated', state({ active: false }), state({ tags: ['x'] })],
    ['deactivated', state(), state({ active: false, tags: ['x'] })],
  ])('%s', (action, before, after) => {
    expect(getPromptAction(before, after)).toBe(action);
  });
});

test('applyPatch keeps omitted fields, and the stored order of lists with the same members', () => {
  const stored = state({ countries: ['US', 'DE'], tags: ['x'] });
  expect(applyPatch(stored, {})).toEqual(stored);
  expect(applyPatch(stored, { countries: ['DE', 'US'], tags: [] })).toEqual({ ...stored, tags: [] });
});

test('a row of a sync requests an active prompt unless it has active: false', () => {
  const row = { text: 'x', countries: ['US'] };
  expect(desiredState(undefined, row)).toMatchObject({ active: true, tags: [] });
  expect(desiredState(state({ active: false, tags: ['t'] }), row)).toEqual(state({ tags: ['t'] }));
  expect(desiredState(state(), { ...row, active: false })).toEqual(state({ active: false }));
});

test('isDeactivation', () => {
  expect(isDeactivation({ active: false })).toBe(true);
  expect(isDeactivation({ active: true })).toBe(false);
  expect(isDeactivation({ active: false, tags: [] })).toBe(false);
});

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
