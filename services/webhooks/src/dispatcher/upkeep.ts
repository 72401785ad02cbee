import { removeInBatches, type Pool } from '@bv/postgres';
import type { Clock } from '../context.ts';
import { deleteEmptyEndpoints, deleteOldDeliveries, deleteOldEvents } from '../db/retention.ts';
import { listExpiredLeases } from '../db/settlements.ts';
import { deleteUnsubscribedThresholdStates, touchSubscribedThresholdStates } from '../db/threshold-states.ts';
import { settle, type SettleDeps } from './settle.ts';

const reclaimBatch = 100;
const retentionBatch = 1_000;
const dayMs = 86_400_000;
/** Since a subscription last covered the state. */
const thresholdRetentionMs = 90 * dayMs;

/** Ends attempts whose lease ran out: outcome unknown, on to the next step of the schedule. Returns how many. */
export async function reclaimExpired(deps: SettleDeps): Promise<number> {
  const expired = await listExpiredLeases(deps.pool, deps.now(), reclaimBatch);
  if (expired.length === 0) return 0;
  const settled = await settle(
    deps,
    expired.map((row) => ({
      deliveryId: row.id,
      endpointId: row.endpoint_id,
      leaseToken: row.lease_token,
      generation: null,
      isPing: row.is_ping,
      scheduleAttempts: row.schedule_attempts,
      outcome: 'unknown',
      error: null,
      statusCode: null,
      durationMs: null,
      snippet: null,
      retryAfterMs: null,
    })),
  );
  return settled.size;
}

/** Deletes what is older than the retention, until told to stop. Returns how many rows. */
export async function pruneOld(
  pool: Pool,
  now: Clock,
  retentionMs: number,
  stopping: AbortSignal,
): Promise<number> {
  const before = new Date(now().getTime() - retentionMs);
  let deleted = 0;
  for (const deleteBatch of [deleteOldDeliveries, deleteOldEvents, deleteEmptyEndpoints]) {
    deleted += await removeInBatches(retentionBatch, (limit) => deleteBatch(pool, before, limit), stopping);
  }
  return deleted + (await pruneThresholdStates(pool, now(), stopping));
}

/** Without the daily touch, a state of a brand that is not scanned would be deleted with its subscription. */
async function pruneThresholdStates(pool: Pool, at: Date, stopping: AbortSignal): Promise<number> {
  const ago = (ms: number): Date => new Date(at.getTime() - ms);
  const touch = (limit: number) => touchSubscribedThresholdStates(pool, { before: ago(dayMs), at, limit });
  await removeInBatches(retentionBatch, touch, stopping);
  const remove = (limit: number) => deleteUnsubscribedThresholdStates(pool, ago(thresholdRetentionMs), limit);
  return removeInBatches(retentionBatch, remove, stopping);
}
