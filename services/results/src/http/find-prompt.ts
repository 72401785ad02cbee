import { ApiError } from '@bv/contract';
import { findPromptRpc } from '@bv/events';
import type { Context } from '../context.ts';
import { findPrompt, type PromptRow } from '../db/prompts.ts';
import { applyPrompt } from '../events/on-prompt-changed.ts';
import { askCatalog } from './ask-catalog.ts';

/** A prompt as it is known here, or else to the catalog: one made a moment ago may not have been told of yet. */
export async function findKnownPrompt(ctx: Context, promptId: string): Promise<PromptRow | undefined> {
  const known = await findPrompt(ctx.pool, promptId);
  if (known !== undefined) return known;
  const reply = await askCatalog(ctx, findPromptRpc, { id: promptId });
  if (reply === null) return undefined;
  await applyPrompt(ctx.pool, reply.version, reply.data);
  return findPrompt(ctx.pool, promptId);
}

/** A prompt of the organisation, or `404 not_found`. */
export async function findPromptOfOrg(
  ctx: Context,
  orgId: string | null,
  promptId: string,
): Promise<PromptRow> {
  const prompt = await findKnownPrompt(ctx, promptId);
  if (prompt === undefined || prompt.org_id !== orgId) throw new ApiError('not_found');
  return prompt;
}
