import { ApiError } from '@bv/contract';
import { callRpc, findOrgRpc, type Nats } from '@bv/events';
import type { Pool } from '@bv/postgres';
import type { Context } from '../context.ts';
import { findOrgAccess, upsertOrgAccess } from '../db/org-access.ts';

/** Loads an organisation that is missing in the projection from catalog. Throws `not_found` if it does not exist. */
export async function ensureOrg(
  { pool, getNats }: Pick<Context, 'pool' | 'getNats'>,
  orgId: string,
): Promise<void> {
  const known = await findOrgAccess(pool, orgId);
  if (known === undefined) await fetchOrg(pool, getNats(), orgId);
  else if (known.deleted) throw new ApiError('not_found');
}

async function fetchOrg(pool: Pool, nats: Nats, orgId: string): Promise<void> {
  const found = await callRpc(nats, findOrgRpc, { id: orgId });
  if (found === null || found.data.deleted_at !== null) throw new ApiError('not_found');
  await upsertOrgAccess(pool, found.version, found.data);
}
