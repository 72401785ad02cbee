import { ApiError } from '@bv/contract';
import type { Pool, Transaction } from '@bv/postgres';
import { findPrompt, lockPrompt, type PromptRow } from '../db/prompts.ts';
import { onlyDeactivates, patched, type PromptPatch } from '../domain/prompt-change.ts';
import { enterPromptWrite } from './prompt-writer.ts';
import { refuseArchived } from './refusals.ts';
import { changePrompt } from './write-prompt.ts';

type UpdatePrompt = { orgId: string; promptId: string; brandId: string; patch: PromptPatch };

/** The brand of a prompt of the organisation; it never changes. */
export async function getBrandOfPrompt(pool: Pool, orgId: string, promptId: string): Promise<string> {
  const prompt = await findPrompt(pool, promptId);
  if (prompt?.org_id !== orgId) throw new ApiError('not_found');
  return prompt.brand_id;
}

export async function updatePrompt(
  tx: Transaction,
  { orgId, promptId, brandId, patch }: UpdatePrompt,
): Promise<PromptRow> {
  const place = await enterPromptWrite(tx, orgId, brandId);
  if (!onlyDeactivates(patch)) refuseArchived(place.brand);
  const prompt = await lockPrompt(tx, promptId);
  return changePrompt(tx, place, prompt, patched(prompt, patch));
}
