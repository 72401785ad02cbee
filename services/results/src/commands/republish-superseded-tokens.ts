import { type Pool, transaction } from '@bv/postgres';
import { listBrandTokens } from '../db/brand-tokens.ts';
import { publishBrandToken, type TokenEvents } from '../events/publish.ts';

const pageSize = 1_000;

/**
 * A concurrent import may score the days of this import and publish newer tokens with its own events. Publishes those
 * tokens again as events of this import, because the response of an import waits for its own events only.
 */
export async function republishSupersededTokens(pool: Pool, tokenEvents: TokenEvents): Promise<void> {
  const brandIds = [...tokenEvents.keys()];
  for (let at = 0; at < brandIds.length; at += pageSize) {
    for (const { brand_id: brandId, org_id: orgId, ...token } of await listBrandTokens(
      pool,
      brandIds.slice(at, at + pageSize),
    )) {
      if (token.version <= (tokenEvents.get(brandId)?.version ?? 0)) continue;
      const eventId = await transaction(pool, (tx) => publishBrandToken(tx, { id: brandId, orgId }, token));
      tokenEvents.set(brandId, { version: token.version, eventId });
    }
  }
}
