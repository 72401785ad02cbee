import { pruneOperations } from '@bv/http';
import { type Lifecycle, startInterval } from '@bv/lifecycle';
import { removeInBatches, type Pool } from '@bv/postgres';
import type { Logger, Metrics } from '@bv/telemetry';
import { reencryptSecrets } from './commands/endpoint-secrets.ts';
import type { Clock, CommonContext } from './context.ts';
import type { DispatcherContext } from './dispatcher/dispatcher-context.ts';
import { listSecretCounts } from './db/endpoint-secrets.ts';
import { deleteOldChangeStates } from './db/change-states.ts';
import {
  deleteEmptyEndpoints,
  deleteOldDeliveries,
  deleteOldEvents,
  getBacklog,
  listEndpointCounts,
} from './db/maintenance.ts';
import { listExpiredLeases } from './db/outcomes.ts';
import { deleteUnsubscribedThresholdStates, touchSubscribedThresholdStates } from './db/threshold-states.ts';
import { unknownOutcome } from './dispatcher/attempt.ts';
import { recordOutcomes } from './dispatcher/record-outcomes.ts';
import { backlogMetrics } from './telemetry.ts';

const pruneOperationsMs = 3_600_000;
/** After a failed run, expired leases are ended again after this time. */
const expiredLeasesRetryMs = 1_000;
/** Larger backlogs are reported as this number, so that counting stays cheap. */
const maxCounted = 100_000;
const maxExpiredLeases = 100;
const dayMs = 86_400_000;
/** Counted since a subscription last covered the state. */
const thresholdRetentionMs = 90 * dayMs;
/** Counted since the event. Longer than the windows of changes, with time for late scans. */
const changeRetentionMs = 90 * dayMs;

type Jobs = { log: Logger; lifecycle: Lifecycle };
type Job = {
  name: string;
  everyMs: number;
  retryMs?: number;
  run: (stopping: AbortSignal) => Promise<unknown>;
};

type RunningJob = { stop(): Promise<void> };

function startJob({ log, lifecycle }: Jobs, { name, everyMs, retryMs = everyMs, run }: Job): RunningJob {
  const warn = (error: unknown): void => log.warn({ err: error, job: name }, 'maintenance job failed');
  // The signal fires when the stop begins, before the attempts in flight end.
  return startInterval(everyMs, () => run(lifecycle.signal), warn, { retryMs });
}

/** Reports the backlog at intervals. Every role reports it, so that it is visible when no dispatcher is left. */
export function startBacklogMetrics(ctx: CommonContext & Jobs & { metrics: Metrics }): void {
  const { config, pool, now } = ctx;
  const report = backlogMetrics(ctx.metrics);
  const keyIds = config.WEBHOOKS_SECRET_KEYS.map(({ id }) => id);
  const run = async (): Promise<void> => {
    const at = now();
    report({
      backlog: await getBacklog(pool, at, maxCounted),
      endpoints: await listEndpointCounts(pool),
      secrets: await listSecretCounts(pool, keyIds, at),
    });
  };
  const name = 'backlog metrics';
  const job = startJob(ctx, { name, everyMs: config.WEBHOOKS_MEASURE_MS, run });
  ctx.lifecycle.onStop(name, () => job.stop());
}

/** Deletes old responses that writes have recorded. */
export function startPruningOperations(ctx: CommonContext & Jobs): void {
  const run = (stopping: AbortSignal): Promise<unknown> => pruneOperations(ctx.pool, stopping);
  const name = 'pruning of recorded responses';
  const job = startJob(ctx, { name, everyMs: pruneOperationsMs, run });
  ctx.lifecycle.onStop(name, () => job.stop());
}

/** `stop` waits for the runs in progress. It is no close step: each step shortens the time that attempts may take. */
export function startDispatcherJobs(ctx: DispatcherContext, lifecycle: Lifecycle): RunningJob {
  const { config, pool, now, log, metrics, secretCipher } = ctx;
  const endLeases = async (): Promise<void> => {
    metrics.leasesExpired(await endExpiredLeases(ctx));
  };
  const prune = (stopping: AbortSignal): Promise<unknown> =>
    pruneOld(pool, now, config.WEBHOOKS_RETENTION_DAYS * dayMs, stopping);
  const reencrypt = async (stopping: AbortSignal): Promise<void> => {
    const count = await reencryptSecrets(pool, secretCipher, stopping);
    if (count > 0) log.info({ count }, 'secrets of older keys re-encrypted with the first key');
  };
  const jobs: Job[] = [
    {
      name: 'expired leases',
      everyMs: config.WEBHOOKS_EXPIRED_LEASES_MS,
      retryMs: expiredLeasesRetryMs,
      run: endLeases,
    },
    { name: 'retention', everyMs: config.WEBHOOKS_PRUNE_MS, run: prune },
    { name: 're-encryption', everyMs: config.WEBHOOKS_PRUNE_MS, run: reencrypt },
  ];
  const running = jobs.map((job) => startJob({ log, lifecycle }, job));
  return {
    stop: async () => {
      await Promise.all(running.map((job) => job.stop()));
    },
  };
}

/** Ends attempts with an expired lease as `unknown`, and schedules the next ones. Returns their number. */
async function endExpiredLeases(ctx: DispatcherContext): Promise<number> {
  const expired = await listExpiredLeases(ctx.pool, maxExpiredLeases);
  if (expired.length === 0) return 0;
  const recorded = await recordOutcomes(
    ctx,
    expired.map((row) => ({
      deliveryId: row.id,
      endpointId: row.endpoint_id,
      leaseToken: row.lease_token,
      generation: null,
      isPing: row.is_ping,
      scheduleAttempts: row.schedule_attempts,
      ...unknownOutcome,
    })),
  );
  return recorded.filter(Boolean).length;
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
    deleted += (await removeInBatches((limit) => deleteBatch(pool, before, limit), stopping)).removed;
  }
  const changesBefore = new Date(now().getTime() - changeRetentionMs);
  const deleteChanges = (limit: number) => deleteOldChangeStates(pool, changesBefore, limit);
  deleted += (await removeInBatches(deleteChanges, stopping)).removed;
  return deleted + (await pruneThresholdStates(pool, now(), stopping));
}

/** The daily update of `updated_at` keeps subscribed states of brands that are not scanned. */
async function pruneThresholdStates(pool: Pool, at: Date, stopping: AbortSignal): Promise<number> {
  const ago = (ms: number): Date => new Date(at.getTime() - ms);
  const touch = (limit: number) => touchSubscribedThresholdStates(pool, { before: ago(dayMs), at, limit });
  await removeInBatches(touch, stopping);
  const remove = (limit: number) => deleteUnsubscribedThresholdStates(pool, ago(thresholdRetentionMs), limit);
  return (await removeInBatches(remove, stopping)).removed;
}
