import {
  callRpc,
  type TypedEnvelope,
  type SourceEvent,
  findBrandRpc,
  type Nats,
  RpcUnavailable,
} from '@bv/events';
import { type Pool, transaction } from '@bv/postgres';
import { listBrandsByIds } from '../db/brands.ts';
import { applyBrand } from './on-brand-changed.ts';

const timeoutMs = 2_000;

/**
 * Fetches the brands of scan events that the catalog's own events have not delivered yet, so that a scan of a new brand
 * is scored at once. If the catalog does not reply, the events are handled without these brands. Runs before the
 * transaction of the events, so no connection and no lock is held during the call.
 */
export const backfillBrands =
  (pool: Pool, nats: Nats) =>
  async (envelopes: readonly TypedEnvelope<SourceEvent<'scans'>>[]): Promise<void> => {
    const ids = [...new Set(envelopes.flatMap(({ data }) => ('brand_id' in data ? [data.brand_id] : [])))];
    if (ids.length === 0) return;
    const projected = new Set((await listBrandsByIds(pool, ids)).map((brand) => brand.id));
    const missing = ids.filter((id) => !projected.has(id));
    const replies = await Promise.all(missing.map((id) => fetchBrand(nats, id)));
    for (const reply of replies) {
      if (reply !== null) await transaction(pool, (tx) => applyBrand(tx, reply.version, reply.data));
    }
  };

async function fetchBrand(nats: Nats, id: string) {
  try {
    return await callRpc(nats, findBrandRpc, { id }, { timeoutMs });
  } catch (error) {
    if (error instanceof RpcUnavailable) return null;
    throw error;
  }
}
