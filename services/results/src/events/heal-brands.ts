import { callRpc, findBrandRpc, type Nats, RpcUnavailable } from '@bv/events';
import type { Transaction } from '@bv/postgres';
import { listBrandsByIds } from '../db/brands.ts';
import { applyBrand } from './on-brand-changed.ts';

const TIMEOUT_MS = 2_000;

/**
 * Asks the catalog for the brands of a message that its events have not told of yet, so that a scan of a new brand
 * is scored at once. Without an answer the message goes on without them. Called before the brands' tokens are taken.
 */
export async function healBrands(tx: Transaction, nats: Nats, brandIds: Iterable<string>): Promise<void> {
  const ids = [...new Set(brandIds)];
  const known = new Set((await listBrandsByIds(tx, ids)).map((brand) => brand.id));
  const missing = ids.filter((id) => !known.has(id)).sort();
  const replies = await Promise.all(missing.map((id) => ask(nats, id)));
  for (const reply of replies) {
    if (reply !== null) await applyBrand(tx, reply.version, reply.data);
  }
}

async function ask(nats: Nats, id: string) {
  try {
    return await callRpc(nats, findBrandRpc, { id }, { timeoutMs: TIMEOUT_MS });
  } catch (error) {
    if (error instanceof RpcUnavailable) return null;
    throw error;
  }
}
