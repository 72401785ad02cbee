import { ApiError, type RequestBody, type createPrompt as createPromptOperation } from '@bv/contract';
import type { Pool, Transaction } from '@bv/postgres';
import { findBrand } from '../db/brands.ts';
import type { PromptRow } from '../db/prompts.ts';
import { newPrompt } from '../domain/sync-row.ts';
import { lockForPromptWrite } from './prompt-write-lock.ts';
import { assertNotArchived, assertOwnBrand } from './assert-brand.ts';
import { addPrompt } from './write-prompt.ts';

type CreatePrompt = {
  orgId: string;
  brandId: string;
  keyId: string;
  body: RequestBody<typeof createPromptOperation>;
};

/** Runs before a write is queued, so that no write waits for a brand of another organisation. */
export async function requireBrand(pool: Pool, orgId: string, brandId: string): Promise<void> {
  if ((await findBrand(pool, brandId))?.org_id !== orgId) throw new ApiError('not_found');
}

export async function createPrompt(tx: Transaction, input: CreatePrompt): Promise<PromptRow> {
  const { orgId, brandId, keyId, body } = input;
  const parents = await lockForPromptWrite(tx, orgId, brandId);
  assertOwnBrand(parents.brand);
  assertNotArchived(parents.brand);
  return addPrompt(tx, parents, { text: body.text, state: newPrompt(body), source: 'api', keyId });
}
