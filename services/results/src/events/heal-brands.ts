import { callRpc, type EnvelopeOf, type EventOf, findBrandRpc, type Nats, RpcUnavailable } from '@bv/events';
import { type Pool, transaction } from '@bv/postgres';
import { listBrandsByIds } from '../db/brands.ts';
import { applyBrand } from './on-brand-changed.ts';

const TIMEOUT_MS = 2_000;

/**
 * Asks the catalog for the brands of scans' events that its own events have not told of yet, so that a scan of a new
 * brand is scored at once. Without an answer the events go on without them. Runs before the events' transaction:
 * no connection and no lock is held while the catalog thinks.
 */
export const healBrands =
  (pool: Pool, nats: Nats) =>
  async (envelopes: readonly EnvelopeOf<EventOf<'scans'>>[]): Promise<void> => {
    const ids = [...new Set(envelopes.flatMap(({ data }) => ('brand_id' in data ? [data.brand_id] : [])))];
    if (ids.length === 0) return;
    const known = new Set((await listBrandsByIds(pool, ids)).map((brand) => brand.id));
    const missing = ids.filter((id) => !known.has(id));
    const replies = await Promise.all(missing.map((id) => ask(nats, id)));
    for (const reply of replies) {
      if (reply !== null) await transaction(pool, (tx) => applyBrand(tx, reply.version, reply.data));
    }
  };

async function ask(nats: Nats, id: string) {
  try {
    return await callRpc(nats, findBrandRpc, { id }, { timeoutMs: TIMEOUT_MS });
  } catch (error) {
    if (error instanceof RpcUnavailable) return null;
    throw error;
  }
}
