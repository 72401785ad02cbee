import { describe, expect, test } from '@jest/globals';
import { applyPatch, desiredState, getPromptAction, isDeactivation, type PromptState } from './prompts.ts';

const state = (fields: Partial<PromptState> = {}): PromptState => ({
  countries: ['US'],
  platforms: ['claude'],
  tags: [],
  active: true,
  ...fields,
});

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
