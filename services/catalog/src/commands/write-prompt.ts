import { ApiError } from '@bv/contract';
import type { Transaction } from '@bv/postgres';
import type { BrandRow } from '../db/brands.ts';
import type { OrgRow } from '../db/orgs.ts';
import { getPromptUsage } from '../db/prompt-counts.ts';
import { findActivePromptByText, insertPrompt, type PromptRow, updatePrompt } from '../db/prompts.ts';
import { publishPrompt } from '../events/publish.ts';
import { planOf } from '../domain/plan.ts';
import { actionOf, checkPromptCaps, type PromptState } from '../domain/prompt-change.ts';
import { textIdentity } from '../domain/prompt-text.ts';

/** Where a prompt is written: locked by `enterPromptWrite`. */
export type PromptPlace = { org: OrgRow; brand: BrandRow };

export type NewPromptInput = {
  text: string;
  state: PromptState;
  source: PromptRow['source'];
  keyId: string;
};

/** Creates a prompt; refused on an active one with the same text, and above the plan's limits. */
export async function addPrompt(
  tx: Transaction,
  { org, brand }: PromptPlace,
  { text, state, source, keyId }: NewPromptInput,
): Promise<PromptRow> {
  const identity = textIdentity(text);
  if (state.active) {
    await refuseSameText(tx, brand.id, identity);
    checkPromptCaps(planOf(org), await getPromptUsage(tx, org.id), undefined, state);
  }
  const prompt = await insertPrompt(tx, {
    ...state,
    orgId: org.id,
    brandId: brand.id,
    text,
    textIdentity: identity,
    source,
    createdByKeyId: keyId,
  });
  await publishPrompt(tx, prompt);
  return prompt;
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
  if (action === 'reactivated') await refuseSameText(tx, brand.id, textIdentity(prompt.text));
  if (next.active) checkPromptCaps(planOf(org), await getPromptUsage(tx, org.id), prompt, next);
  const changed = await updatePrompt(tx, prompt.id, next);
  await publishPrompt(tx, changed);
  return changed;
}

async function refuseSameText(tx: Transaction, brandId: string, identity: Buffer): Promise<void> {
  const existing = await findActivePromptByText(tx, brandId, identity);
  if (existing) throw new ApiError('conflict', { details: { existing_id: existing.id } });
}
