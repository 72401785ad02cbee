import type { PlatformId } from '@bv/contract';
import { checkCountryCap, checkPromptCap, type PromptUsage } from './caps.ts';
import type { Plan } from './plan.ts';

/** The fields of a prompt that can change; its text cannot. */
export type PromptState = {
  countries: string[];
  platforms: PlatformId[];
  tags: string[];
  active: boolean;
};

/** The same fields in a request body; an omitted field stays unchanged. */
export type PromptPatch = { [Field in keyof PromptState]?: PromptState[Field] | undefined };

function hasSameMembers(first: readonly string[], second: readonly string[]): boolean {
  const members = new Set(first);
  return members.size === new Set(second).size && second.every((member) => members.has(member));
}

/** Returns the state after `patch`. A list with the same members in another order is no change. */
export function applyPatch(prompt: PromptState, patch: PromptPatch): PromptState {
  const pick = <T extends string>(stored: T[], sent: T[] | undefined): T[] =>
    sent === undefined || hasSameMembers(stored, sent) ? stored : sent;
  return {
    countries: pick(prompt.countries, patch.countries),
    platforms: pick(prompt.platforms, patch.platforms),
    tags: pick(prompt.tags, patch.tags),
    active: patch.active ?? prompt.active,
  };
}

/** Compares the fields other than `active`. */
function hasSameContent(before: PromptState, after: PromptState): boolean {
  return (
    hasSameMembers(before.countries, after.countries) &&
    hasSameMembers(before.platforms, after.platforms) &&
    hasSameMembers(before.tags, after.tags)
  );
}

export type PromptAction = 'created' | 'updated' | 'reactivated' | 'deactivated' | 'unchanged';

/** Classifies the change from `before` to `after`; `before` is undefined for a new prompt. */
export function getPromptAction(before: PromptState | undefined, after: PromptState): PromptAction {
  if (before === undefined) return 'created';
  if (!before.active && after.active) return 'reactivated';
  if (before.active && !after.active) return 'deactivated';
  return hasSameContent(before, after) ? 'unchanged' : 'updated';
}

/** True for `active: false` and nothing else, the only patch that a prompt of an archived brand accepts. */
export function isDeactivation(patch: PromptPatch): boolean {
  const { countries, platforms, tags, active } = patch;
  return active === false && [countries, platforms, tags].every((field) => field === undefined);
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
