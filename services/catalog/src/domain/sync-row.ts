import { platformIds } from '@bv/contract';
import { patched, type PromptPatch, type PromptState } from './prompt-change.ts';

export type SyncRow = PromptPatch & { text: string; countries: string[] };

/**
 * What a row of a sync asks for. The list is the desired state, so a listed prompt is active unless the row
 * says otherwise; platforms and tags that a row leaves out stay as they are.
 */
export function wantedState(stored: PromptState | undefined, row: SyncRow): PromptState {
  const active = row.active ?? true;
  if (stored !== undefined) return patched(stored, { ...row, active });
  return { ...newPrompt(row), active };
}

/** A new prompt with the defaults of what the body leaves out. */
export function newPrompt(sent: PromptPatch & { countries: string[] }): PromptState {
  return {
    countries: sent.countries,
    platforms: sent.platforms ?? [...platformIds],
    tags: sent.tags ?? [],
    active: sent.active ?? true,
  };
}
