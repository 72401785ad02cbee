import { ApiError } from '@bv/contract';
import type { Transaction } from '@bv/postgres';
import { findPrompt, lockPrompt, type PromptRow } from '../db/prompts.ts';
import { onlyDeactivates, patched, type PromptPatch } from '../domain/prompt-change.ts';
import { enterPromptWrite } from './prompt-writer.ts';
import { refuseArchived } from './refusals.ts';
import { changePrompt } from './write-prompt.ts';

type UpdatePrompt = { orgId: string; promptId: string; patch: PromptPatch };

export async function updatePrompt(
  tx: Transaction,
  { orgId, promptId, patch }: UpdatePrompt,
): Promise<PromptRow> {
  const known = await findPrompt(tx, promptId);
  if (known?.org_id !== orgId) throw new ApiError('not_found');
  const place = await enterPromptWrite(tx, orgId, known.brand_id, { wait: true });
  if (!onlyDeactivates(patch)) refuseArchived(place.brand);
  // Read again: it may have changed while the locks were waited for.
  const prompt = await lockPrompt(tx, promptId);
  return changePrompt(tx, place, prompt, patched(prompt, patch));
}
