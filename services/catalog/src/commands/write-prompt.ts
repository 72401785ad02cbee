import { randomUUID } from 'node:crypto';
import { ApiError } from '@bv/contract';
import type { Transaction } from '@bv/postgres';
import { getPromptUsage } from '../db/prompt-counts.ts';
import {
  type ChangedPrompt,
  findActivePromptByText,
  insertPrompts,
  type NewPrompt,
  type PromptRow,
  updatePrompts,
} from '../db/prompts.ts';
import { planOf } from '../domain/plan.ts';
import { actionOf, checkPromptCaps, type PromptState } from '../domain/prompt-change.ts';
import { textIdentity } from '../domain/prompt-text.ts';
import { publishPrompts } from '../events/publish.ts';
import type { PromptPlace } from './prompt-writer.ts';

type NewPromptInput = {
  text: string;
  state: PromptState;
  source: PromptRow['source'];
  keyId: string;
};

export function newPromptRow(
  { org, brand }: PromptPlace,
  { text, state, source, keyId }: NewPromptInput,
): NewPrompt {
  const { countries, platforms, tags, active } = state;
  return {
    id: randomUUID(),
    org_id: org.id,
    brand_id: brand.id,
    text,
    countries,
    platforms,
    tags,
    active,
    source,
    created_by_key_id: keyId,
  };
}

/** Creates a prompt; refused on an active one with the same text, and above the plan's limits. */
export async function addPrompt(
  tx: Transaction,
  place: PromptPlace,
  input: NewPromptInput,
): Promise<PromptRow> {
  const { org, brand } = place;
  if (input.state.active) {
    await refuseSameText(tx, brand.id, input.text);
    checkPromptCaps(planOf(org), await getPromptUsage(tx, org.id), undefined, input.state);
  }
  return writeOne(tx, { created: [newPromptRow(place, input)], changed: [] });
}

/** Brings a prompt to `next`; nothing is written where nothing changes. */
export async function changePrompt(
  tx: Transaction,
  { org, brand }: PromptPlace,
  prompt: PromptRow,
  next: PromptState,
): Promise<PromptRow> {
  const action = actionOf(prompt, next);
  if (action === 'unchanged') return prompt;
  if (action === 'reactivated') await refuseSameText(tx, brand.id, prompt.text);
  if (next.active) checkPromptCaps(planOf(org), await getPromptUsage(tx, org.id), prompt, next);
  return writeOne(tx, { created: [], changed: [{ id: prompt.id, ...next }] });
}

export type PromptWrites = { created: NewPrompt[]; changed: ChangedPrompt[] };

/** Writes prompts, and the event of each. */
export async function writePrompts(
  tx: Transaction,
  { created, changed }: PromptWrites,
): Promise<PromptRow[]> {
  const inserted = created.length === 0 ? [] : await insertPrompts(tx, created);
  const updated = changed.length === 0 ? [] : await updatePrompts(tx, changed);
  const written = [...inserted, ...updated];
  await publishPrompts(tx, written);
  return written;
}

async function writeOne(tx: Transaction, writes: PromptWrites): Promise<PromptRow> {
  const [prompt] = await writePrompts(tx, writes);
  if (!prompt) throw new Error('no prompt was written');
  return prompt;
}

async function refuseSameText(tx: Transaction, brandId: string, text: string): Promise<void> {
  const existing = await findActivePromptByText(tx, brandId, textIdentity(text));
  if (existing) throw new ApiError('conflict', { details: { existing_id: existing.id } });
}
