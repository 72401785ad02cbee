import { ApiError } from '@bv/contract';
import { findPromptRpc } from '@bv/events';
import type { Context } from '../context.ts';
import { findPrompt, type PromptRow } from '../db/prompts.ts';
import { applyPrompt } from '../events/on-prompt-changed.ts';
import { callCatalog } from './call-catalog.ts';

/**
 * A prompt from the projection, else from the catalog: the event of a prompt that was just created may not have arrived
 * yet.
 */
export async function findOrFetchPrompt(ctx: Context, promptId: string): Promise<PromptRow | undefined> {
  const projected = await findPrompt(ctx.pool, promptId);
  if (projected !== undefined) return projected;
  const reply = await callCatalog(ctx, findPromptRpc, { id: promptId });
  if (reply === null) return undefined;
  await applyPrompt(ctx.pool, reply.version, reply.data);
  return findPrompt(ctx.pool, promptId);
}

/** A prompt of the organisation. Throws `404 not_found`. */
export async function findPromptOfOrg(
  ctx: Context,
  orgId: string | null,
  promptId: string,
): Promise<PromptRow> {
  const prompt = await findOrFetchPrompt(ctx, promptId);
  if (prompt === undefined || prompt.org_id !== orgId) throw new ApiError('not_found');
  return prompt;
}
