import { ApiError } from '@bv/contract';
import type { Pool, Transaction } from '@bv/postgres';
import { findPrompt, lockPrompt, type PromptRow } from '../db/prompts.ts';
import { isDeactivation, applyPatch, type PromptPatch } from '../domain/prompt-change.ts';
import { lockForPromptWrite } from './prompt-write-lock.ts';
import { assertNotArchived } from './assert-brand.ts';
import { changePrompt } from './write-prompt.ts';

type UpdatePrompt = { orgId: string; promptId: string; brandId: string; patch: PromptPatch };

/** The brand of the organisation's prompt. A prompt never changes its brand. */
export async function getPromptBrandId(pool: Pool, orgId: string, promptId: string): Promise<string> {
  const prompt = await findPrompt(pool, promptId);
  if (prompt?.org_id !== orgId) throw new ApiError('not_found');
  return prompt.brand_id;
}

export async function updatePrompt(
  tx: Transaction,
  { orgId, promptId, brandId, patch }: UpdatePrompt,
): Promise<PromptRow> {
  const parents = await lockForPromptWrite(tx, orgId, brandId);
  if (!isDeactivation(patch)) assertNotArchived(parents.brand);
  const prompt = await lockPrompt(tx, promptId);
  return changePrompt(tx, parents, prompt, applyPatch(prompt, patch));
}
