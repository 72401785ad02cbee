import {
  ApiError,
  type RequestBody,
  type Retention,
  type operatorCreateOrg,
  type operatorUpdateOrg,
  validationError,
} from '@bv/contract';
import type { Transaction } from '@bv/postgres';
import { recordPurge } from '@bv/events';
import {
  deleteOrg,
  findOrgIncludingDeleted,
  insertOrg,
  listTiers,
  lockOrg,
  type OrgRow,
  tierExists,
  updateOrg,
  updateOrgPurge,
} from '../db/orgs.ts';
import { orgData, publishOrg } from '../publish/publish.ts';

/** Results are kept as the installation is configured. */
const defaultRetention: Retention = { answer_text_days: null, unit_days: null };

export type ChangedOrg = { org: OrgRow; eventIds: string[] };

export async function addOrg(
  tx: Transaction,
  { name, tier, overrides = {}, retention = defaultRetention }: RequestBody<typeof operatorCreateOrg>,
): Promise<ChangedOrg> {
  await requireTier(tx, tier);
  return publishAndReturn(tx, await insertOrg(tx, { name, tier, overrides, retention }));
}

/** A plan below the current usage deletes nothing; it only rejects further additions. */
export async function changeOrg(
  tx: Transaction,
  orgId: string,
  patch: RequestBody<typeof operatorUpdateOrg>,
): Promise<ChangedOrg> {
  const org = await lockOrg(tx, orgId);
  if (!org) throw new ApiError('not_found');
  if (patch.tier !== undefined) await requireTier(tx, patch.tier);
  const { name = org.name, tier = org.tier, overrides = org.overrides, retention = org.retention } = patch;
  return publishAndReturn(tx, await updateOrg(tx, orgId, { name, tier, overrides, retention }));
}

export async function removeOrg(tx: Transaction, orgId: string): Promise<ChangedOrg> {
  const org = await deleteOrg(tx, orgId);
  if (!org) throw new ApiError('not_found');
  return publishAndReturn(tx, org);
}

/** Requests the deletion of its data in every service. Throws `conflict` if the organisation is not deleted. */
export async function requestPurge(
  tx: Transaction,
  orgId: string,
): Promise<{ requestedAt: string; eventIds: string[] }> {
  const requested = await updateOrgPurge(tx, orgId);
  const org = requested ?? (await findOrgIncludingDeleted(tx, orgId));
  if (!org) throw new ApiError('not_found');
  if (org.purge_requested_at === null) {
    throw new ApiError('conflict', { message: 'The organisation is not deleted. Delete it first' });
  }
  // This service does not consume its own events.
  await recordPurge(tx, orgData(org));
  return { requestedAt: org.purge_requested_at, eventIds: requested ? [await publishOrg(tx, org)] : [] };
}

async function publishAndReturn(tx: Transaction, org: OrgRow): Promise<ChangedOrg> {
  return { org, eventIds: [await publishOrg(tx, org)] };
}

/** An installation has a handful of tiers; this only bounds the message. */
const maxNamedTiers = 20;

async function requireTier(tx: Transaction, tier: string): Promise<void> {
  if (await tierExists(tx, tier)) return;
  const known = await listTiers(tx, '', maxNamedTiers);
  const message = `No tier has this name. Tiers: ${known.map(({ name }) => name).join(', ')}`;
  throw validationError([{ path: 'tier', code: 'invalid_value', message }]);
}
