import { type Pool, type Transaction, transaction } from '@bv/postgres';
import type { Clock } from '../context.ts';
import {
  claimDeliveries,
  type Claimed,
  listCandidates,
  lockDueEndpoints,
  updateWakeTimes,
} from '../db/claims.ts';
import { listLiveSecrets } from '../db/endpoint-secrets.ts';
import { type ClaimLimits, type Grant, type Places, planClaims } from '../domain/claim-plan.ts';
import { decryptSecret, type EncryptionKey } from '../domain/secrets.ts';

export type ClaimDeps = {
  pool: Pool;
  now: Clock;
  limits: ClaimLimits;
  leaseMs: number;
  /** When to look again at an endpoint that had more due than it may have at once. */
  recheckMs: number;
  encryptionKeys: readonly EncryptionKey[];
  /** When to look again at an endpoint of which no key opens a secret. */
  heldMs: number;
  dispatcher: string;
};

/** Endpoints looked at in one claim: the longest waiting ones, so every endpoint gets its turn. */
const endpointsPerClaim = 64;

/** `secrets` by endpoint, open. `held` are endpoints that would have got something, were there a key for their secrets. */
export type Claim = {
  claimed: Claimed[];
  secrets: ReadonlyMap<string, string[]>;
  held: string[];
  /** As many endpoints were due as one claim looks at: more may be. */
  full: boolean;
};

const nothing: Claim = { claimed: [], secrets: new Map(), held: [], full: false };

/** Takes due deliveries for the free places, in turns over the endpoints. What fails on the way claims nothing. */
export async function claim(deps: ClaimDeps, places: Places): Promise<Claim> {
  const { pool, now, limits, leaseMs, recheckMs, heldMs, dispatcher } = deps;
  return transaction(pool, async (tx) => {
    const at = now();
    const after = (ms: number): Date => new Date(at.getTime() + ms);
    const endpointIds = await lockDueEndpoints(tx, at, endpointsPerClaim);
    if (endpointIds.length === 0) return nothing;
    // One more than may run, so that the plan sees when more is due.
    const candidates = await listCandidates(tx, endpointIds, at, limits.perEndpoint + 1);
    const planned = planClaims(candidates, limits, places, at);
    const secrets = await decryptSecrets(tx, planned.filter(isServed), at, deps.encryptionKeys);
    const isHeld = (grant: Grant): boolean => isServed(grant) && !secrets.has(grant.endpointId);
    const grants = planned.filter((grant) => !isHeld(grant));
    const claimed = await claimDeliveries(tx, grants, { at, until: after(leaseMs), dispatcher });
    await updateWakeTimes(tx, grants, after(recheckMs));
    const held = planned.filter(isHeld).map((grant) => ({ ...grant, limited: true }));
    if (held.length > 0) await updateWakeTimes(tx, held, after(heldMs));
    const full = endpointIds.length === endpointsPerClaim;
    return { claimed, secrets, held: held.map(({ endpointId }) => endpointId), full };
  });
}

const isServed = ({ pings, events }: Grant): boolean => pings + events > 0;

/** Without the endpoints of which one secret cannot be opened: a delivery without it would fail at the receiver. */
async function decryptSecrets(
  tx: Transaction,
  grants: readonly Grant[],
  at: Date,
  keys: readonly EncryptionKey[],
): Promise<Map<string, string[]>> {
  const opened = new Map<string, string[]>();
  if (grants.length === 0) return opened;
  const endpointIds = grants.map(({ endpointId }) => endpointId);
  const byEndpoint = Map.groupBy(await listLiveSecrets(tx, endpointIds, at), (row) => row.endpoint_id);
  for (const [endpointId, rows] of byEndpoint) {
    const secrets = rows.map(({ sealed }) => decryptSecret(sealed, endpointId, keys));
    if (secrets.every((secret) => secret !== undefined)) opened.set(endpointId, secrets);
  }
  return opened;
}
