import type { KeyObject } from 'node:crypto';
import { type Transaction, transaction } from '@bv/postgres';
import {
  leaseDeliveries,
  type LeasedDelivery,
  listCandidates,
  lockDueEndpoints,
  returnDeliveries,
  updateWakeTimes,
} from '../db/leases.ts';
import { lockEndpointStates } from '../db/endpoint-states.ts';
import { listLiveSecrets } from '../db/endpoint-secrets.ts';
import { type Allocation, planLeases, type Slots } from '../domain/lease-plan.ts';
import type { SigningKeys } from '../domain/secrets.ts';
import type { DispatcherContext } from './dispatcher-context.ts';

/** The longest waiting endpoints come first, so none starves. */
const maxEndpointsPerLease = 64;

export type LeasedBatch = {
  deliveries: LeasedDelivery[];
  /** Signing keys by endpoint id. */
  keys: ReadonlyMap<string, KeyObject[]>;
  /** Slots of each partner in this process, the used ones included. */
  slots: ReadonlyMap<string, number>;
  /** On the monotonic clock. */
  leaseEndsAt: number;
  /** Ids of endpoints with due deliveries whose secrets no key decrypts. */
  undecryptable: string[];
  /** The maximum number of endpoints was due, so more may be. */
  isFull: boolean;
};

const emptyBatch: LeasedBatch = {
  deliveries: [],
  keys: new Map(),
  slots: new Map(),
  leaseEndsAt: 0,
  undecryptable: [],
  isFull: false,
};

/** Leases due deliveries for the free slots, round-robin over the endpoints. Leases nothing when it rejects. */
export async function leaseDueDeliveries(
  ctx: DispatcherContext,
  { slots, endedTokens }: { slots: Slots; endedTokens: readonly string[] },
): Promise<LeasedBatch> {
  const { config } = ctx;
  const limits = { perEndpoint: config.WEBHOOKS_PER_ENDPOINT, perPartner: config.WEBHOOKS_PER_PARTNER };
  return transaction(
    ctx.pool,
    async (tx) => {
      const at = ctx.now();
      const leaseEndsAt = performance.now() + config.WEBHOOKS_LEASE_MS;
      const after = (ms: number): Date => new Date(at.getTime() + ms);
      const endpointIds = await lockDueEndpoints(tx, at, maxEndpointsPerLease);
      if (endpointIds.length === 0) return emptyBatch;
      // Counts one more than may run, so that the plan detects further due deliveries.
      const maxCounted = limits.perEndpoint + 1;
      const candidates = await listCandidates(tx, endpointIds, { at, maxCounted, endedTokens });
      const plan = planLeases(candidates, limits, slots, at);
      const { allocations: planned } = plan;
      const keys = await findSigningKeys(tx, planned.filter(hasSlots), at, ctx.signingKeys);
      const isUndecryptable = (allocation: Allocation): boolean =>
        hasSlots(allocation) && !keys.has(allocation.endpointId);
      const allocations = planned.filter((allocation) => !isUndecryptable(allocation));
      const lease = { at, leaseMs: config.WEBHOOKS_LEASE_MS, dispatcher: ctx.dispatcherName };
      const deliveries = await leaseDeliveries(tx, allocations, lease);
      // Endpoints with more due deliveries than their slots are leased from again after the poll interval.
      await updateWakeTimes(tx, allocations, after(config.WEBHOOKS_POLL_MS));
      const postponed = planned.filter(isUndecryptable).map((each) => ({ ...each, isLimited: true }));
      if (postponed.length > 0)
        await updateWakeTimes(tx, postponed, after(config.WEBHOOKS_EXPIRED_LEASES_MS));
      const undecryptable = postponed.map(({ endpointId }) => endpointId);
      const isFull = endpointIds.length === maxEndpointsPerLease;
      return { deliveries, keys, slots: plan.slots, leaseEndsAt, undecryptable, isFull };
    },
    { lookups: true },
  );
}

/** Ends the leases of deliveries that were not sent. */
export async function returnUnsent(
  ctx: DispatcherContext,
  deliveries: readonly LeasedDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return;
  const endpointIds = [...new Set(deliveries.map(({ endpoint_id: id }) => id))];
  await transaction(
    ctx.pool,
    async (tx) => {
      await lockEndpointStates(tx, endpointIds);
      await returnDeliveries(tx, deliveries, ctx.now());
    },
    { lookups: true },
  );
}

const hasSlots = ({ pings, events }: Allocation): boolean => pings + events > 0;

/** Omits endpoints with a secret that no key decrypts: the receiver would reject a delivery without its signature. */
async function findSigningKeys(
  tx: Transaction,
  allocations: readonly Allocation[],
  at: Date,
  signingKeys: SigningKeys,
): Promise<Map<string, KeyObject[]>> {
  const found = new Map<string, KeyObject[]>();
  if (allocations.length === 0) return found;
  const endpointIds = allocations.map(({ endpointId }) => endpointId);
  const byEndpoint = Map.groupBy(await listLiveSecrets(tx, endpointIds, at), (row) => row.endpoint_id);
  for (const [endpointId, rows] of byEndpoint) {
    const keys = rows.map(({ ciphertext }) => signingKeys(ciphertext, endpointId));
    if (keys.every((key) => key !== undefined)) found.set(endpointId, keys);
  }
  return found;
}
