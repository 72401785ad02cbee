import { ApiError } from '@bv/contract';
import { findPromptRpc } from '@bv/events';
import type { Context } from '../context.ts';
import { findPrompt, type PromptRow } from '../db/prompts.ts';
import { applyPrompt } from '../events/on-prompt-changed.ts';
import { askCatalog } from './ask-catalog.ts';

/** A prompt of the organisation; one made a moment ago is asked of the catalog before a 404. */
export async function findPromptOfOrg(
  ctx: Context,
  orgId: string | null,
  promptId: string,
): Promise<PromptRow> {
  let prompt = await findPrompt(ctx.pool, promptId);
  if (prompt === undefined) {
    const reply = await askCatalog(ctx, findPromptRpc, { id: promptId });
    if (reply !== null) await applyPrompt(ctx.pool, reply.version, reply.data);
    prompt = await findPrompt(ctx.pool, promptId);
  }
  if (prompt === undefined || prompt.org_id !== orgId) throw new ApiError('not_found');
  return prompt;
}
