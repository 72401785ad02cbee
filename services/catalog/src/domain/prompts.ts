import { createHash } from 'node:crypto';
import { type PlatformId, platformIds, promptIdentity } from '@bv/contract';

/** Digest of a text's identity, as stored. Its fixed length fits an index. */
export function textIdentity(text: string): Buffer {
  return createHash('sha256').update(promptIdentity(text)).digest();
}

/** The fields of a prompt that can change; its text cannot. */
export type PromptState = {
  countries: string[];
  platforms: PlatformId[];
  tags: string[];
  active: boolean;
};

/** The same fields in a request body; an omitted field stays unchanged. */
export type PromptPatch = { [Field in keyof PromptState]?: PromptState[Field] | undefined };

/** A new prompt with defaults for omitted fields. */
export function newPrompt(sent: PromptPatch & { countries: string[] }): PromptState {
  return {
    countries: sent.countries,
    platforms: sent.platforms ?? [...platformIds],
    tags: sent.tags ?? [],
    active: sent.active ?? true,
  };
}

/** True for `active: false` and nothing else, the only patch that a prompt of an archived brand accepts. */
export function isDeactivation(patch: PromptPatch): boolean {
  const { countries, platforms, tags, active } = patch;
  return active === false && [countries, platforms, tags].every((field) => field === undefined);
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

export type PromptAction = 'created' | 'updated' | 'reactivated' | 'deactivated' | 'unchanged';

/** Classifies the change from `before` to `after`; `before` is undefined for a new prompt. */
export function getPromptAction(before: PromptState | undefined, after: PromptState): PromptAction {
  if (before === undefined) return 'created';
  if (!before.active && after.active) return 'reactivated';
  if (before.active && !after.active) return 'deactivated';
  return hasSameContent(before, after) ? 'unchanged' : 'updated';
}

/** Compares the fields other than `active`. */
function hasSameContent(before: PromptState, after: PromptState): boolean {
  return (
    hasSameMembers(before.countries, after.countries) &&
    hasSameMembers(before.platforms, after.platforms) &&
    hasSameMembers(before.tags, after.tags)
  );
}

function hasSameMembers(first: readonly string[], second: readonly string[]): boolean {
  const members = new Set(first);
  return members.size === new Set(second).size && second.every((member) => members.has(member));
}

export type SyncRow = PromptPatch & { text: string; countries: string[] };

/**
 * The state that a row of a sync requests. A listed prompt is active unless the row has `active: false`. Omitted
 * platforms and tags stay unchanged.
 */
export function desiredState(stored: PromptState | undefined, row: SyncRow): PromptState {
  const active = row.active ?? true;
  if (stored !== undefined) return applyPatch(stored, { ...row, active });
  return { ...newPrompt(row), active };
}
