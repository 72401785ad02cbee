import type { EventData, TypedEnvelope, promptChanged } from '@bv/events';
import type { Queryable, Transaction } from '@bv/postgres';
import { upsertPrompt } from '../db/prompts.ts';

/** Stores the part of a prompt's state that this service uses; an older version changes nothing. */
export async function applyPrompt(
  db: Queryable,
  version: number,
  prompt: EventData<typeof promptChanged>,
): Promise<void> {
  const { id, org_id, brand_id, active } = prompt;
  await upsertPrompt(db, { id, org_id, brand_id, active, version });
}

export function onPromptChanged(
  tx: Transaction,
  envelope: TypedEnvelope<typeof promptChanged>,
): Promise<void> {
  return applyPrompt(tx, envelope.version, envelope.data);
}
