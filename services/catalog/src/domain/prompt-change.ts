import type { PlatformId } from '@bv/contract';
import { checkCountryCap, checkPromptCap, type PromptUsage } from './caps.ts';
import type { Plan } from './plan.ts';

/** What can change about a prompt; its text cannot. */
export type PromptState = {
  countries: string[];
  platforms: PlatformId[];
  tags: string[];
  active: boolean;
};

/** The same fields as a body gives them: what is left out stays as it is. */
export type PromptPatch = { [Field in keyof PromptState]?: PromptState[Field] | undefined };

function sameMembers(some: readonly string[], others: readonly string[]): boolean {
  const members = new Set(some);
  return members.size === new Set(others).size && others.every((other) => members.has(other));
}

/** The state after `patch`. A list that holds the same members in another order is no change. */
export function patched(prompt: PromptState, patch: PromptPatch): PromptState {
  const pick = <T extends string>(stored: T[], sent: T[] | undefined): T[] =>
    sent === undefined || sameMembers(stored, sent) ? stored : sent;
  return {
    countries: pick(prompt.countries, patch.countries),
    platforms: pick(prompt.platforms, patch.platforms),
    tags: pick(prompt.tags, patch.tags),
    active: patch.active ?? prompt.active,
  };
}

/** Whether the fields other than `active` are the same. */
function sameContent(before: PromptState, after: PromptState): boolean {
  return (
    sameMembers(before.countries, after.countries) &&
    sameMembers(before.platforms, after.platforms) &&
    sameMembers(before.tags, after.tags)
  );
}

export type PromptAction = 'created' | 'updated' | 'reactivated' | 'deactivated' | 'unchanged';

/** What a change from `before` to `after` is called; `before` is undefined for a new prompt. */
export function actionOf(before: PromptState | undefined, after: PromptState): PromptAction {
  if (before === undefined) return 'created';
  if (!before.active && after.active) return 'reactivated';
  if (before.active && !after.active) return 'deactivated';
  return sameContent(before, after) ? 'unchanged' : 'updated';
}

/** Whether the body is the one an archived brand's prompt still accepts: `active: false` and nothing else. */
export function onlyDeactivates(patch: PromptPatch): boolean {
  const { countries, platforms, tags, active } = patch;
  return active === false && [countries, platforms, tags].every((field) => field === undefined);
}

/** Refuses a change that would exceed the plan. Whatever leaves the prompt inactive is never checked. */
export function checkPromptCaps(
  plan: Plan,
  usage: PromptUsage,
  before: PromptState | undefined,
  after: PromptState,
): void {
  if (!after.active) return;
  if (before?.active) checkMovedCountries(plan, usage, before, after);
  else {
    checkPromptCap(plan, usage.prompts + 1);
    checkCountryCap(plan, usage.countries.keys(), after.countries);
  }
}

/** The usage after a prompt of a brand that is not archived went from `before` to `after`. */
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
  const [was, is] = [before?.active ?? false, after.active];
  if (is) for (const country of after.countries) add(country, 1);
  if (was) for (const country of before?.countries ?? []) add(country, -1);
  return { prompts: usage.prompts + Number(is) - Number(was), countries };
}

/** An active prompt gives up countries only it was in; where none is added, no limit can be exceeded by it. */
function checkMovedCountries(plan: Plan, usage: PromptUsage, before: PromptState, after: PromptState): void {
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
