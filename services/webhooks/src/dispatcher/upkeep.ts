import { removeInBatches, type Pool } from '@bv/postgres';
import type { Clock } from '../context.ts';
import { deleteEmptyEndpoints, deleteOldDeliveries, deleteOldEvents } from '../db/retention.ts';
import { listExpiredLeases } from '../db/settlements.ts';
import { deleteIdleThresholdStates } from '../db/threshold-states.ts';
import { settle, type SettleDeps } from './settle.ts';

const reclaimBatch = 100;
const retentionBatch = 1_000;
/** Longer than any pause of a brand's scans in normal use: the side last reported survives it. */
const thresholdRetentionMs = 90 * 86_400_000;

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
  const idleBefore = new Date(now().getTime() - thresholdRetentionMs);
  const deleteIdle = (limit: number) => deleteIdleThresholdStates(pool, idleBefore, limit);
  return deleted + (await removeInBatches(retentionBatch, deleteIdle, stopping));
}
