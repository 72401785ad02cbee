import { type Pool, type Transaction, transaction } from '@bv/postgres';
import type { Clock } from '../context.ts';
import {
  leaseDeliveries,
  type LeasedDelivery,
  listCandidates,
  lockDueEndpoints,
  updateWakeTimes,
} from '../db/leases.ts';
import { listLiveSecrets } from '../db/endpoint-secrets.ts';
import { type LeaseLimits, type Grant, type Slots, planLeases } from '../domain/lease-plan.ts';
import { decryptSecret, type EncryptionKey } from '../domain/secrets.ts';

export type LeaseDeps = {
  pool: Pool;
  now: Clock;
  limits: LeaseLimits;
  leaseMs: number;
  /** After this time, an endpoint with more due deliveries than its limit is leased from again. */
  recheckMs: number;
  encryptionKeys: readonly EncryptionKey[];
  /** After this time, an endpoint whose secret could not be decrypted is checked again. */
  undecryptableRecheckMs: number;
  dispatcher: string;
};

/** The longest waiting endpoints come first, so none starves. */
const maxEndpointsPerLease = 64;

export type LeasedBatch = {
  deliveries: LeasedDelivery[];
  /** Decrypted secrets by endpoint id. */
  secrets: ReadonlyMap<string, string[]>;
  /** Ids of endpoints with due deliveries whose secrets no key decrypts. */
  undecryptable: string[];
  /** The maximum number of endpoints was due, so more may be. */
  isFull: boolean;
};

const emptyBatch: LeasedBatch = { deliveries: [], secrets: new Map(), undecryptable: [], isFull: false };

/** Leases due deliveries for the free slots, round-robin over the endpoints. Leases nothing when it rejects. */
export async function leaseDueDeliveries(deps: LeaseDeps, slots: Slots): Promise<LeasedBatch> {
  const { pool, now, limits, leaseMs, recheckMs, undecryptableRecheckMs, dispatcher } = deps;
  return transaction(pool, async (tx) => {
    const at = now();
    const after = (ms: number): Date => new Date(at.getTime() + ms);
    const endpointIds = await lockDueEndpoints(tx, at, maxEndpointsPerLease);
    if (endpointIds.length === 0) return emptyBatch;
    // Counts one more than may run, so that the plan detects further due deliveries.
    const candidates = await listCandidates(tx, endpointIds, at, limits.perEndpoint + 1);
    const planned = planLeases(candidates, limits, slots, at);
    const secrets = await decryptSecrets(tx, planned.filter(isServed), at, deps.encryptionKeys);
    const isUndecryptable = (grant: Grant): boolean => isServed(grant) && !secrets.has(grant.endpointId);
    const grants = planned.filter((grant) => !isUndecryptable(grant));
    const deliveries = await leaseDeliveries(tx, grants, { at, until: after(leaseMs), dispatcher });
    await updateWakeTimes(tx, grants, after(recheckMs));
    const postponed = planned.filter(isUndecryptable).map((grant) => ({ ...grant, limited: true }));
    if (postponed.length > 0) await updateWakeTimes(tx, postponed, after(undecryptableRecheckMs));
    const undecryptable = postponed.map(({ endpointId }) => endpointId);
    return { deliveries, secrets, undecryptable, isFull: endpointIds.length === maxEndpointsPerLease };
  });
}

const isServed = ({ pings, events }: Grant): boolean => pings + events > 0;

/** Omits endpoints with a secret that no key decrypts: the receiver would reject a delivery without its signature. */
async function decryptSecrets(
  tx: Transaction,
  grants: readonly Grant[],
  at: Date,
  keys: readonly EncryptionKey[],
): Promise<Map<string, string[]>> {
  const decrypted = new Map<string, string[]>();
  if (grants.length === 0) return decrypted;
  const endpointIds = grants.map(({ endpointId }) => endpointId);
  const byEndpoint = Map.groupBy(await listLiveSecrets(tx, endpointIds, at), (row) => row.endpoint_id);
  for (const [endpointId, rows] of byEndpoint) {
    const secrets = rows.map(({ sealed }) => decryptSecret(sealed, endpointId, keys));
    if (secrets.every((secret) => secret !== undefined)) decrypted.set(endpointId, secrets);
  }
  return decrypted;
}
