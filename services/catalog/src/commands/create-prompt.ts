import type { BodyOf, createPrompt as createPromptOperation } from '@bv/contract';
import type { Transaction } from '@bv/postgres';
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

export async function createPrompt(tx: Transaction, input: CreatePrompt): Promise<PromptRow> {
  const { orgId, brandId, keyId, body } = input;
  const place = await enterPromptWrite(tx, orgId, brandId, { wait: true });
  refuseCompetitor(place.brand);
  refuseArchived(place.brand);
  return addPrompt(tx, place, { text: body.text, state: newPrompt(body), source: 'api', keyId });
}
