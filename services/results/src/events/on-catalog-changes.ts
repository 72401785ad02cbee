import type { brandChanged, EventData, promptChanged, TypedEnvelope } from '@bv/events';
import type { Queryable, Transaction } from '@bv/postgres';
import { lockBrandToken, upsertBrand } from '../db/brands.ts';
import { upsertPrompt } from '../db/prompts.ts';
import { changeBrandToken } from './publish.ts';

/**
 * Stores the part of a brand's state that this service uses; an older version changes nothing. Results show the current
 * names, domains and competitors, so a newer version moves the change token of a brand that has results.
 */
export async function applyBrand(
  tx: Transaction,
  version: number,
  brand: EventData<typeof brandChanged>,
): Promise<void> {
  const { competitors, aliases: _a, created_at: _c, updated_at: _u, ...rest } = brand;
  const changed = await upsertBrand(tx, {
    ...rest,
    competitor_ids: competitors.map(({ id }) => id),
    version,
  });
  // A competitor has no token. Locking the brand before its token is safe: no holder of a token lock writes brands.
  if (changed === 0 || !brand.is_own || (await lockBrandToken(tx, brand.id)) === undefined) return;
  await changeBrandToken(tx, { id: brand.id, orgId: brand.org_id });
}

export function onBrandChanged(tx: Transaction, envelope: TypedEnvelope<typeof brandChanged>): Promise<void> {
  return applyBrand(tx, envelope.version, envelope.data);
}

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
