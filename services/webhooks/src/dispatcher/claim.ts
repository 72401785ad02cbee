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
import { type ClaimLimits, planClaims } from '../domain/claim-plan.ts';
import { type SealingKey, tryOpenSecret } from '../domain/secrets.ts';

export type ClaimDeps = {
  pool: Pool;
  now: Clock;
  limits: ClaimLimits;
  leaseMs: number;
  /** When to look again at an endpoint that had more due than it may have at once. */
  recheckMs: number;
  sealingKeys: readonly SealingKey[];
  /** When to look again at an endpoint whose secrets no key opens. */
  heldMs: number;
  dispatcher: string;
};

/** Endpoints looked at in one claim: the longest waiting ones, so every endpoint gets its turn. */
const endpointsPerClaim = 64;

/** `secrets` by endpoint, open. `held` are endpoints with something due that nobody here can sign for. */
export type Claim = { claimed: Claimed[]; secrets: ReadonlyMap<string, string[]>; held: string[] };

/** Takes at most `free` due deliveries, in turns over the endpoints. What fails on the way claims nothing. */
export async function claim(deps: ClaimDeps, free: number): Promise<Claim> {
  const { pool, now, limits, leaseMs, recheckMs, heldMs, dispatcher } = deps;
  return transaction(pool, async (tx) => {
    const at = now();
    const after = (ms: number): Date => new Date(at.getTime() + ms);
    const endpointIds = await lockDueEndpoints(tx, at, endpointsPerClaim);
    if (endpointIds.length === 0) return { claimed: [], secrets: new Map(), held: [] };
    const secrets = await openSecrets(tx, endpointIds, at, deps.sealingKeys);
    // One more than may run, so that the plan sees when more is due.
    const candidates = await listCandidates(tx, endpointIds, at, limits.perEndpoint + 1);
    const unsigned = candidates.filter(({ endpointId }) => !secrets.has(endpointId));
    const grants = planClaims(
      candidates.filter(({ endpointId }) => secrets.has(endpointId)),
      limits,
      free,
      at,
    );
    const claimed = await claimDeliveries(tx, grants, { at, until: after(leaseMs), dispatcher });
    await updateWakeTimes(tx, grants, after(recheckMs));
    const waiting = unsigned.map(({ endpointId }) => ({ endpointId, limited: true, eventsFrom: at }));
    if (waiting.length > 0) await updateWakeTimes(tx, waiting, after(heldMs));
    const due = unsigned.filter(({ duePings, dueEvents }) => duePings + dueEvents > 0);
    return { claimed, secrets, held: due.map(({ endpointId }) => endpointId) };
  });
}

/** Without the endpoints of which one secret cannot be opened: a delivery without it would fail at the receiver. */
async function openSecrets(
  tx: Transaction,
  endpointIds: readonly string[],
  at: Date,
  keys: readonly SealingKey[],
): Promise<Map<string, string[]>> {
  const byEndpoint = Map.groupBy(await listLiveSecrets(tx, endpointIds, at), (row) => row.endpoint_id);
  const opened = new Map<string, string[]>();
  for (const [endpointId, rows] of byEndpoint) {
    const secrets = rows.map(({ sealed }) => tryOpenSecret(sealed, endpointId, keys));
    if (secrets.every((secret) => secret !== undefined)) opened.set(endpointId, secrets);
  }
  return opened;
}
