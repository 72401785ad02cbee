import { ApiError, type BodyOf, type createPrompt as createPromptOperation } from '@bv/contract';
import type { Pool, Transaction } from '@bv/postgres';
import { findBrand } from '../db/brands.ts';
import type { PromptRow } from '../db/prompts.ts';
import { newPrompt } from '../domain/sync-row.ts';
import { enterPromptWrite } from './prompt-writer.ts';
import { refuseArchived, refuseCompetitor } from './refusals.ts';
import { addPrompt } from './write-prompt.ts';

type CreatePrompt = {
  orgId: string;
  brandId: string;
  keyId: string;
  body: BodyOf<typeof createPromptOperation>;
};

/** Checked before a write is queued: no write waits for the brand of another organisation. */
export async function requireBrandOf(pool: Pool, orgId: string, brandId: string): Promise<void> {
  if ((await findBrand(pool, brandId))?.org_id !== orgId) throw new ApiError('not_found');
}

export async function createPrompt(tx: Transaction, input: CreatePrompt): Promise<PromptRow> {
  const { orgId, brandId, keyId, body } = input;
  const place = await enterPromptWrite(tx, orgId, brandId);
  refuseCompetitor(place.brand);
  refuseArchived(place.brand);
  return addPrompt(tx, place, { text: body.text, state: newPrompt(body), source: 'api', keyId });
}
