import { type Pool, transaction } from '@bv/postgres';
import { listBrandTokens } from '../db/brand-tokens.ts';
import { publishBrandChanged } from '../events/publish.ts';
import type { TokenEvents } from './ingest-units.ts';

const PAGE = 1_000;

/**
 * Another import scores the days of this one, too, and its events tell the tokens that they come to. Whoever waits for
 * the events of this one alone would answer before: they are told once more, as events of this one.
 */
export async function tellOvertaken(pool: Pool, tokenEvents: TokenEvents): Promise<void> {
  const brandIds = [...tokenEvents.keys()];
  for (let at = 0; at < brandIds.length; at += PAGE) {
    for (const { brand_id: brandId, org_id: orgId, ...token } of await listBrandTokens(
      pool,
      brandIds.slice(at, at + PAGE),
    )) {
      if (token.version <= (tokenEvents.get(brandId)?.version ?? 0)) continue;
      const eventId = await transaction(pool, (tx) => publishBrandChanged(tx, { brandId, orgId, token }));
      tokenEvents.set(brandId, { version: token.version, eventId });
    }
  }
}
