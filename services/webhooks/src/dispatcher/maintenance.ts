import { removeInBatches, type Pool } from '@bv/postgres';
import type { Clock } from '../context.ts';
import { deleteEmptyEndpoints, deleteOldDeliveries, deleteOldEvents } from '../db/retention.ts';
import { listExpiredLeases } from '../db/outcomes.ts';
import { deleteUnsubscribedThresholdStates, touchSubscribedThresholdStates } from '../db/threshold-states.ts';
import { recordOutcomes, type OutcomeDeps } from './record-outcomes.ts';

const reclaimBatch = 100;
const retentionBatch = 1_000;
const dayMs = 86_400_000;
/** Counted since a subscription last covered the state. */
const thresholdRetentionMs = 90 * dayMs;

/** Ends attempts with an expired lease as `unknown`, and schedules the next ones. Returns their number. */
export async function reclaimExpiredLeases(deps: OutcomeDeps): Promise<number> {
  const expired = await listExpiredLeases(deps.pool, deps.now(), reclaimBatch);
  if (expired.length === 0) return 0;
  const recorded = await recordOutcomes(
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
  return recorded.size;
}

/** Deletes rows older than the retention until `stopping` fires. Returns the number of deleted rows. */
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

/** The daily update of `updated_at` keeps subscribed states of brands that are not scanned. */
async function pruneThresholdStates(pool: Pool, at: Date, stopping: AbortSignal): Promise<number> {
  const ago = (ms: number): Date => new Date(at.getTime() - ms);
  const touch = (limit: number) => touchSubscribedThresholdStates(pool, { before: ago(dayMs), at, limit });
  await removeInBatches(retentionBatch, touch, stopping);
  const remove = (limit: number) => deleteUnsubscribedThresholdStates(pool, ago(thresholdRetentionMs), limit);
  return removeInBatches(retentionBatch, remove, stopping);
}
