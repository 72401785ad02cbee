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
  savePrompts,
} from '../db/prompts.ts';
import { toPlan } from '../domain/plan.ts';
import { getPromptAction, checkPromptCaps, type PromptState } from '../domain/prompt-change.ts';
import { textIdentity } from '../domain/prompt-text.ts';
import { publishPrompts } from '../events/publish.ts';
import type { LockedParents } from './prompt-write-lock.ts';

type NewPromptInput = {
  text: string;
  state: PromptState;
  source: PromptRow['source'];
  keyId: string;
};

export function newPromptRow(
  { org, brand }: LockedParents,
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

/** Creates a prompt. Throws if the brand has an active prompt with this text, or above the plan's limits. */
export async function addPrompt(
  tx: Transaction,
  parents: LockedParents,
  input: NewPromptInput,
): Promise<PromptRow> {
  const { org, brand } = parents;
  if (input.state.active) {
    await assertTextUnused(tx, brand.id, input.text);
    checkPromptCaps(toPlan(org), await getPromptUsage(tx, org.id), undefined, input.state);
  }
  return writeOne(tx, { created: [newPromptRow(parents, input)], changed: [] });
}

/** Changes a prompt to the state `next`. Writes nothing if nothing changes. */
export async function changePrompt(
  tx: Transaction,
  { org, brand }: LockedParents,
  prompt: PromptRow,
  next: PromptState,
): Promise<PromptRow> {
  const action = getPromptAction(prompt, next);
  if (action === 'unchanged') return prompt;
  if (action === 'reactivated') await assertTextUnused(tx, brand.id, prompt.text);
  if (next.active) checkPromptCaps(toPlan(org), await getPromptUsage(tx, org.id), prompt, next);
  return writeOne(tx, { created: [], changed: [{ id: prompt.id, ...next }] });
}

export type PromptWrites = { created: NewPrompt[]; changed: ChangedPrompt[] };

/** Writes prompts and publishes one event for each. */
export async function writePrompts(
  tx: Transaction,
  { created, changed }: PromptWrites,
): Promise<PromptRow[]> {
  const inserted = created.length === 0 ? [] : await insertPrompts(tx, created);
  const updated = changed.length === 0 ? [] : await savePrompts(tx, changed);
  const written = [...inserted, ...updated];
  await publishPrompts(tx, written);
  return written;
}

async function writeOne(tx: Transaction, writes: PromptWrites): Promise<PromptRow> {
  const [prompt] = await writePrompts(tx, writes);
  if (!prompt) throw new Error('no prompt was written');
  return prompt;
}

async function assertTextUnused(tx: Transaction, brandId: string, text: string): Promise<void> {
  const existing = await findActivePromptByText(tx, brandId, textIdentity(text));
  if (existing) throw new ApiError('conflict', { details: { existing_id: existing.id } });
}
