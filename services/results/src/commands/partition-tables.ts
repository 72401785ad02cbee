import { setTimeout as sleep } from 'node:timers/promises';
import { failpoint } from '@bv/lifecycle';
import { type Pool, sqlState, type Transaction, transaction } from '@bv/postgres';
import { backoffMs } from '@bv/resilience';
import type { Logger } from '@bv/telemetry';
import {
  copiedTables,
  copyPage,
  countUncopiedBrands,
  findCopyProgress,
  lockUncopiedBrand,
  upsertCopyProgress,
} from '../db/partition-copies.ts';
import {
  analyzePartition,
  createPartitionedTable,
  findPartitioning,
  findUncreatedTable,
  hasOldSnapshot,
  listPartitions,
  lockPartitioning,
  type Partitioning,
  setLockTimeout,
  startPartitionCopies,
  switchToPartitionedTables,
  updatePartitionsCopied,
} from '../db/partitioning.ts';
import type { PartitionMetrics } from '../telemetry.ts';

export type PartitionOptions = {
  pool: Pool;
  metrics: PartitionMetrics;
  log: Logger;
  /** Whether the copies take the place of the tables once they are complete. */
  switches: boolean;
};

/** The token row of a brand is locked while a page is copied. */
const maxPageRows = 500;
/** For the row that a replica holds during a step. The step itself limits its waits for tables. */
const lockTimeoutMs = 500;
const retryMs = 1_000;
/** Between steps that waited too long for locks, because other statements wait behind each. */
const stepBackoff = { baseMs: retryMs, maxMs: 30_000, jitter: 0.5 };
const progressMs = 60_000;
const lockNotAvailable = '55P03';

/**
 * Copies the tables of an earlier release into partitioned ones, and exchanges them. Each step is one transaction, so that
 * any replica can continue after the end of another, or after a pause.
 */
export async function partitionTables(options: PartitionOptions, stopping: AbortSignal): Promise<void> {
  const { pool, switches } = options;
  const partitioning = await findPartitioning(pool);
  if (partitioning.switched_at !== null) return;
  if (partitioning.started_at === null) await startCopies(options, stopping);
  await copyBrands(options, stopping);
  if (stopping.aborted) return;
  await endCopies(options, stopping);
  if (switches) await switchTables(options, stopping);
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);

type StepOutcome = 'taken' | 'not due' | 'locked';

/** Runs a step in one transaction, alone of all replicas. `locked`: it waited too long for a table or for another replica. */
async function takeStep(
  pool: Pool,
  isDue: (partitioning: Partitioning) => boolean,
  step: (tx: Transaction) => Promise<unknown>,
): Promise<StepOutcome> {
  try {
    return await transaction(pool, async (tx) => {
      await setLockTimeout(tx, lockTimeoutMs);
      if (!isDue(await lockPartitioning(tx))) return 'not due';
      await step(tx);
      return 'taken';
    });
  } catch (error) {
    if (sqlState(error) === lockNotAvailable) return 'locked';
    throw error;
  }
}

type Repeated<Outcome> = {
  step: 'start' | 'end' | 'switch';
  take: () => Promise<Outcome | 'locked'>;
  log: Logger;
};

/** Repeats a step while it is locked. Returns `locked` only if the service stops. */
async function repeatLocked<Outcome>(
  { step, take, log }: Repeated<Outcome>,
  stopping: AbortSignal,
): Promise<Outcome | 'locked'> {
  for (let retry = 0; !stopping.aborted; retry += 1) {
    const outcome = await take();
    if (outcome !== 'locked') return outcome;
    log.warn({ step }, 'a step of the partitioning waited too long for a lock; retrying');
    await pause(backoffMs(stepBackoff, retry), stopping);
  }
  return 'locked';
}

/**
 * Creates the tables one by one, because a transaction can hold a limited number of locks. With all of them, the next step
 * adds the triggers.
 */
async function startCopies({ pool, log }: PartitionOptions, stopping: AbortSignal): Promise<void> {
  const take = (): Promise<StepOutcome> =>
    takeStep(
      pool,
      ({ started_at }) => started_at === null,
      async (tx) => {
        const name = await findUncreatedTable(tx);
        return name === undefined ? startPartitionCopies(tx) : createPartitionedTable(tx, name);
      },
    );
  while ((await repeatLocked({ step: 'start', take, log }, stopping)) === 'taken') {
    failpoint('partitions.table_created');
  }
  if (stopping.aborted) return;
  failpoint('partitions.started');
  log.info('copying the tables of results into partitions');
}

/** Copies page by page. Pauses as long as each took, so that requests and scans have the other half of the time. */
async function copyBrands(options: PartitionOptions, stopping: AbortSignal): Promise<void> {
  const { pool, log } = options;
  let reportedAt = performance.now();
  let after: string | undefined;
  while (!stopping.aborted) {
    const startedAt = performance.now();
    const copied = await copyNextPage(options, after);
    if (copied === undefined && (await countUncopiedBrands(pool)) === 0) return;
    // The brand goes on until it is copied; at the end again from the first one that was locked.
    if (copied === undefined) after = undefined;
    else if (copied.isCopied) after = copied.brandId;
    if (performance.now() - reportedAt > progressMs) {
      reportedAt = performance.now();
      log.info({ brandsLeft: await countUncopiedBrands(pool) }, 'copying into partitions');
    }
    await pause(copied === undefined ? retryMs : performance.now() - startedAt, stopping);
  }
}

type Copied = { brandId: string; isCopied: boolean };

async function copyNextPage(
  { pool, metrics }: PartitionOptions,
  after: string | undefined,
): Promise<Copied | undefined> {
  let rows = 0;
  const copied = await transaction(pool, async (tx): Promise<Copied | undefined> => {
    const brandId = await lockUncopiedBrand(tx, after);
    if (brandId === undefined) return undefined;
    const progress = await findCopyProgress(tx, brandId);
    const index = Math.max(
      0,
      copiedTables.findIndex((name) => name === progress.table_name),
    );
    const table = copiedTables[index];
    if (progress.is_copied || table === undefined) return { brandId, isCopied: true };
    const page = await copyPage(tx, table, { brandId, after: progress.last_key, limit: maxPageRows });
    rows = page.copied;
    const isLastPage = rows < maxPageRows;
    const tableName = isLastPage ? (copiedTables[index + 1] ?? null) : table;
    await upsertCopyProgress(tx, brandId, { tableName, lastKey: isLastPage ? null : page.last_key });
    failpoint('partitions.page_copied');
    return { brandId, isCopied: tableName === null };
  });
  failpoint('partitions.page_committed');
  metrics.rowsCopied(rows);
  return copied;
}

async function endCopies({ pool, log }: PartitionOptions, stopping: AbortSignal): Promise<void> {
  if ((await findPartitioning(pool)).copied_at !== null) return;
  for (const partition of await listPartitions(pool)) {
    if (stopping.aborted) return;
    // Autovacuum repeats what fails.
    await analyzePartition(pool, partition).catch((error: unknown) =>
      log.warn({ err: error, partition }, 'a partition could not be analysed'),
    );
  }
  const take = (): Promise<StepOutcome> =>
    takeStep(
      pool,
      ({ started_at, copied_at }) => started_at !== null && copied_at === null,
      updatePartitionsCopied,
    );
  if ((await repeatLocked({ step: 'end', take, log }, stopping)) !== 'taken') return;
  failpoint('partitions.copied');
  log.info('every brand is copied into partitions');
}

async function switchTables({ pool, log }: PartitionOptions, stopping: AbortSignal): Promise<void> {
  const take = async (): Promise<StepOutcome | 'old snapshot'> => {
    if (await hasOldSnapshot(pool)) return 'old snapshot';
    return takeStep(
      pool,
      // An operator may have removed the copies meanwhile.
      ({ copied_at, switched_at }) => copied_at !== null && switched_at === null,
      async (tx) => {
        await switchToPartitionedTables(tx);
        failpoint('partitions.exchanged');
      },
    );
  };
  for (;;) {
    const outcome = await repeatLocked({ step: 'switch', take, log }, stopping);
    if (outcome === 'taken') break;
    if (outcome !== 'old snapshot') return;
    await pause(retryMs, stopping);
  }
  failpoint('partitions.switched');
  log.info('the partitioned tables are in use');
}
