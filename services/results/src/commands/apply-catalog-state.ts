import type { brandChanged, EventData, promptChanged } from '@bv/events';
import type { Queryable, Transaction } from '@bv/postgres';
import { listBrandsTracking, lockBrand, lockBrandToken, upsertBrand } from '../db/brands.ts';
import { upsertPrompt } from '../db/prompts.ts';
import { changeBrandToken } from '../publish/publish.ts';

/**
 * Stores the part of a brand's state that this service uses; an older version changes nothing. Results show the current
 * names, domains and competitors, so a newer version moves the change token of a brand that has results. A renamed
 * competitor moves the tokens of the brands that track it.
 */
export async function applyBrand(
  tx: Transaction,
  version: number,
  brand: EventData<typeof brandChanged>,
): Promise<void> {
  const { competitors, created_at: _c, updated_at: _u, ...rest } = brand;
  const previous = await lockBrand(tx, brand.id);
  const competitorIds = competitors.map(({ id }) => id);
  const written = await upsertBrand(tx, { ...rest, competitor_ids: competitorIds, version });
  if (written === 0) return;
  // Locking a brand before a token is safe: no holder of a token lock writes brands.
  if (brand.is_own) await changeTokenOfResults(tx, brand);
  else if (previous?.name !== brand.name || previous.domain !== brand.domain) {
    // By id, as in every writer that locks several tokens.
    for (const tracking of await listBrandsTracking(tx, brand.id)) await changeTokenOfResults(tx, tracking);
  }
}

/** A brand without results has nothing that changes. */
async function changeTokenOfResults(tx: Transaction, brand: { id: string; org_id: string }): Promise<void> {
  const token = await lockBrandToken(tx, brand.id);
  if (token !== undefined && token.version > 0) {
    await changeBrandToken(tx, { id: brand.id, orgId: brand.org_id });
  }
}

/** Stores the part of a prompt's state that this service uses; an older version changes nothing. */
export async function applyPrompt(
  db: Queryable,
  version: number,
  prompt: EventData<typeof promptChanged>,
): Promise<void> {
  const { id, org_id, brand_id, active, text, tags } = prompt;
  await upsertPrompt(db, { id, org_id, brand_id, active, text, tags, version });
}
