import { platformIds } from '@bv/contract';
import { applyPatch, type PromptPatch, type PromptState } from './prompt-change.ts';

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

/** A new prompt with defaults for omitted fields. */
export function newPrompt(sent: PromptPatch & { countries: string[] }): PromptState {
  return {
    countries: sent.countries,
    platforms: sent.platforms ?? [...platformIds],
    tags: sent.tags ?? [],
    active: sent.active ?? true,
  };
}
