import { ApiError } from '@bv/contract';
import { callRpc, findOrgRpc } from '@bv/events';
import type { Messaging } from '../events/messaging.ts';
import type { Pool } from '@bv/postgres';
import { findOrgAccess, upsertOrgAccess } from '../db/org-access.ts';

/** Loads an organisation that is missing in the projection from catalog. Throws `not_found` if it does not exist. */
export async function ensureOrg(
  { pool, messaging }: { pool: Pool; messaging: Messaging },
  orgId: string,
): Promise<void> {
  const known = await findOrgAccess(pool, orgId);
  if (known === undefined) await fetchOrg(pool, messaging, orgId);
  else if (known.deleted) throw new ApiError('not_found');
}

async function fetchOrg(pool: Pool, messaging: Messaging, orgId: string): Promise<void> {
  const found = await callRpc(messaging.nats(), findOrgRpc, { id: orgId });
  if (found === null || found.data.deleted_at !== null) throw new ApiError('not_found');
  await upsertOrgAccess(pool, found.version, found.data);
}
