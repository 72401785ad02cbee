import { randomUUID } from 'node:crypto';
import { ApiError, type createPrompt, type RequestBody } from '@bv/contract';
import type { Transaction } from '@bv/postgres';
import {
  type ChangedPrompt,
  findActivePromptByText,
  getPromptUsage,
  insertPrompts,
  lockPrompt,
  type NewPrompt,
  type PromptRow,
  updatePromptRows,
} from '../db/prompts.ts';
import { checkNotArchived, checkOwnBrand } from '../domain/brands.ts';
import { checkPromptCaps } from '../domain/caps.ts';
import { toPlan } from '../domain/plan.ts';
import {
  applyPatch,
  getPromptAction,
  isDeactivation,
  newPrompt,
  type PromptPatch,
  type PromptState,
  textIdentity,
} from '../domain/prompts.ts';
import { publishPrompts } from '../publish/publish.ts';
import type { LockedParents } from './brands.ts';

/** Creates a prompt. Throws if the brand has an active prompt with this text, or above the plan's limits. */
export async function addPrompt(
  tx: Transaction,
  parents: LockedParents,
  body: RequestBody<typeof createPrompt>,
  keyId: string,
): Promise<PromptRow> {
  const { org, brand } = parents;
  checkOwnBrand(brand);
  checkNotArchived(brand);
  const state = newPrompt(body);
  if (state.active) {
    await checkTextUnused(tx, brand.id, body.text);
    checkPromptCaps(toPlan(org), await getPromptUsage(tx, org.id), undefined, state);
  }
  const row = newPromptRow(parents, { text: body.text, state, source: 'api', keyId });
  return writePrompt(tx, { created: [row], changed: [] });
}

/** Applies a patch to a prompt of the locked brand. Writes nothing if nothing changes. */
export async function changePrompt(
  tx: Transaction,
  { org, brand }: LockedParents,
  promptId: string,
  patch: PromptPatch,
): Promise<PromptRow> {
  const prompt = await lockPrompt(tx, promptId);
  const next = applyPatch(prompt, patch);
  const action = getPromptAction(prompt, next);
  if (!isDeactivation(patch)) checkNotArchived(brand);
  if (action === 'unchanged') return prompt;
  if (action === 'reactivated') await checkTextUnused(tx, brand.id, prompt.text);
  if (next.active) checkPromptCaps(toPlan(org), await getPromptUsage(tx, org.id), prompt, next);
  return writePrompt(tx, { created: [], changed: [{ id: prompt.id, ...next }] });
}

async function checkTextUnused(tx: Transaction, brandId: string, text: string): Promise<void> {
  const existing = await findActivePromptByText(tx, brandId, textIdentity(text));
  if (existing) throw new ApiError('conflict', { details: { existing_id: existing.id } });
}

export function newPromptRow(
  { org, brand }: LockedParents,
  prompt: { text: string; state: PromptState; source: PromptRow['source']; keyId: string },
): NewPrompt {
  const { countries, platforms, tags, active } = prompt.state;
  return {
    id: randomUUID(),
    org_id: org.id,
    brand_id: brand.id,
    text: prompt.text,
    countries,
    platforms,
    tags,
    active,
    source: prompt.source,
    created_by_key_id: prompt.keyId,
  };
}

export type PromptWrites = { created: NewPrompt[]; changed: ChangedPrompt[] };

async function writePrompt(tx: Transaction, writes: PromptWrites): Promise<PromptRow> {
  const [prompt] = await writePrompts(tx, writes);
  if (!prompt) throw new Error('no prompt was written');
  return prompt;
}

/** Writes prompts and publishes one event for each. */
export async function writePrompts(
  tx: Transaction,
  { created, changed }: PromptWrites,
): Promise<PromptRow[]> {
  const inserted = created.length === 0 ? [] : await insertPrompts(tx, created);
  const updated = changed.length === 0 ? [] : await updatePromptRows(tx, changed);
  const written = [...inserted, ...updated];
  await publishPrompts(tx, written);
  return written;
}
