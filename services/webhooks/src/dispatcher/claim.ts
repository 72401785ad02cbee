import { type Pool, transaction } from '@bv/postgres';
import type { Clock } from '../context.ts';
import {
  claimDeliveries,
  type Claimed,
  listCandidates,
  lockDueEndpoints,
  updateWakeTimes,
} from '../db/claims.ts';
import { listLiveSecrets, type SecretRow } from '../db/endpoint-secrets.ts';
import { type ClaimLimits, planClaims } from '../domain/claim-plan.ts';

export type ClaimDeps = {
  pool: Pool;
  now: Clock;
  limits: ClaimLimits;
  leaseMs: number;
  /** When to look again at an endpoint that had more due than it may have at once. */
  recheckMs: number;
  dispatcher: string;
};

/** Endpoints looked at in one claim: the longest waiting ones, so every endpoint gets its turn. */
const endpointsPerClaim = 64;

/** `secrets` are those of the claimed deliveries' endpoints, sealed. */
export type Claim = { claimed: Claimed[]; secrets: SecretRow[] };

/** Takes at most `free` due deliveries, in turns over the endpoints. What fails on the way claims nothing. */
export async function claim(deps: ClaimDeps, free: number): Promise<Claim> {
  const { pool, now, limits, leaseMs, recheckMs, dispatcher } = deps;
  return transaction(pool, async (tx) => {
    const at = now();
    const endpointIds = await lockDueEndpoints(tx, at, endpointsPerClaim);
    if (endpointIds.length === 0) return { claimed: [], secrets: [] };
    // One more than may run, so that the plan sees when more is due.
    const candidates = await listCandidates(tx, endpointIds, at, limits.perEndpoint + 1);
    const grants = planClaims(candidates, limits, free, at);
    const lease = { at, until: new Date(at.getTime() + leaseMs), dispatcher };
    const claimed = await claimDeliveries(tx, grants, lease);
    await updateWakeTimes(tx, grants, new Date(at.getTime() + recheckMs));
    if (claimed.length === 0) return { claimed, secrets: [] };
    const owners = [...new Set(claimed.map((delivery) => delivery.endpoint_id))];
    return { claimed, secrets: await listLiveSecrets(tx, owners, at) };
  });
}
