import { setTimeout as sleep } from 'node:timers/promises';
import { type PlatformId, platformIds } from '@bv/contract';
import { checkWritable } from '@bv/postgres';
import type { AnswerPrices } from '../domain/answer-price.ts';
import type { PlatformLimits } from '../domain/rate-bucket.ts';
import { insertRateBuckets } from '../db/fair-queue.ts';
import { listDuePlatforms, updateLeases } from '../db/units.ts';
import { createNotifier, type Notifier, startInterval } from '@bv/lifecycle';
import { createJobPlans, type JobPlans, leaseWork, type Work } from './lease-work.ts';
import { runUnit, type UnitDeps } from './run-unit.ts';
import { createUnitFinaliser, type FinaliseUnit } from './unit-finaliser.ts';

export type WorkerOptions = UnitDeps & {
  limits: Record<PlatformId, PlatformLimits>;
  prices: AnswerPrices;
  /** Attempts in this process, over all platforms. */
  concurrency: number;
  /** Lease duration without a heartbeat. The heartbeat runs three times in it. */
  leaseMs: number;
  /** Aborted when the process begins to stop: the worker leases nothing more. */
  signal: AbortSignal;
};

export type Worker = {
  /** Polls at once instead of at the next interval. */
  wake(): void;
  /** Releases the leased units, so that another replica can lease them at once. */
  stop(): Promise<void>;
};

const pollMs = 250;
const errorBackoffMs = 1_000;
/** Delay between checks of an unavailable database, and so the delay of the renewal of leases after an outage. */
const renewRetryMs = 500;
/**
 * After an outage, or a start that may follow one, units of other workers are not leased for this long, although their
 * leases expired. A worker needs up to 3 s to notice that its connection attempt hangs, and renews its leases after that.
 */
const takeOverDelayMs = 5_000;
/** Batches units that end close together, so that one transaction replaces them. Answers take seconds. */
const batchDelayMs = 5;
/** Units that a process holds beyond its slots, until they are stored: two transactions of the largest size. */
const maxBeyondSlots = 40;

type Loop = {
  options: WorkerOptions;
  plans: JobPlans;
  finalise: FinaliseUnit;
  /** Leased units whose outcome is not stored. */
  running: Map<Work, Promise<void>>;
  /** Those of them whose attempt has not ended. */
  attempting: Set<Work>;
  notifier: Notifier;
  stop: AbortController;
  /** From then on units of lost workers may be leased; monotonic clock, milliseconds. */
  takeOverFrom: number;
};

/** Leases due units and runs them. Any number of processes may do so at once. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  await insertRateBuckets(options.pool, platformIds);
  const loop: Loop = {
    options,
    plans: createJobPlans(),
    finalise: createUnitFinaliser(options.pool, options.prices),
    running: new Map(),
    attempting: new Set(),
    notifier: createNotifier(),
    stop: new AbortController(),
    takeOverFrom: performance.now() + takeOverDelayMs,
  };
  const ended = runLoop(loop);
  const leaseHeartbeat = startInterval(
    options.leaseMs / 3,
    () => renewLeases(loop),
    (error) => {
      options.log.warn({ err: error }, 'leases cannot be renewed');
      loop.takeOverFrom = performance.now() + takeOverDelayMs;
    },
    { retryMs: renewRetryMs },
  );
  return {
    wake: () => loop.notifier.wake(),
    stop: async () => {
      loop.stop.abort(new Error('the worker stops'));
      loop.notifier.wake();
      await ended;
      await Promise.all(loop.running.values());
      await leaseHeartbeat.stop();
    },
  };
}

async function runLoop(loop: Loop): Promise<void> {
  const { options, notifier, stop } = loop;
  const stopping = (): boolean => stop.signal.aborted || options.signal.aborted;
  let failing = false;
  while (!stopping()) {
    try {
      if (failing) {
        await checkWritable(options.pool);
        await renewLeases(loop);
        loop.takeOverFrom = performance.now() + takeOverDelayMs;
      }
      const leased = await leaseRound(loop);
      if (failing) options.log.info('units can be leased again');
      failing = false;
      if (leased === 0) await notifier.wait(pollMs);
      await sleep(batchDelayMs);
    } catch (error) {
      if (!failing) options.log.warn({ err: error }, 'units cannot be leased; retrying');
      failing = true;
      if (!stopping()) await sleep(errorBackoffMs, undefined, { ref: false });
    }
  }
}

/** Leases units of every platform with due units. They share the free capacity of this process. */
async function leaseRound(loop: Loop): Promise<number> {
  const { options, plans, stop } = loop;
  if (freeSlots(loop) <= 0) return 0;
  const due = await listDuePlatforms(options.pool, platformIds);
  let leased = 0;
  for (const [index, { platform, has_ended_leases: hasEndedLeases }] of shuffle(due).entries()) {
    const limit = Math.ceil(freeSlots(loop) / (due.length - index));
    if (limit <= 0 || stop.signal.aborted) break;
    const { leaseMs } = options;
    const batch = await leaseWork(options.pool, plans, {
      platform,
      limits: options.limits[platform],
      limit,
      leaseMs,
      attempted: attemptedIds(loop),
      ended: hasEndedLeases
        ? { held: heldIds(loop), takeOver: performance.now() >= loop.takeOverFrom }
        : null,
    });
    for (const unit of batch) run(loop, unit);
    leased += batch.length;
  }
  return leased;
}

/**
 * A unit whose attempt has ended uses no slot. Few of them may wait for the database, because an answer takes memory and
 * is paid again if the process ends.
 */
export const countFreeSlots = (
  concurrency: number,
  { leased, attempting }: { leased: number; attempting: number },
): number => Math.min(concurrency - attempting, concurrency + Math.min(concurrency, maxBeyondSlots) - leased);

const freeSlots = ({ options: { concurrency }, running, attempting }: Loop): number =>
  countFreeSlots(concurrency, { leased: running.size, attempting: attempting.size });

function run({ options, finalise, running, attempting, notifier, stop }: Loop, work: Work): void {
  const onAttempted = (): void => {
    attempting.delete(work);
    notifier.wake();
  };
  attempting.add(work);
  const ended = runUnit({ ...options, finalise, onAttempted }, work, stop.signal)
    .catch((error: unknown) => {
      options.log.error(
        { err: error, unit_id: work.unit.id },
        'a unit was aborted; it is retried when its lease expires',
      );
    })
    .finally(() => {
      running.delete(work);
      attempting.delete(work);
      notifier.wake();
    });
  running.set(work, ended);
}

/** An answer whose storing waits for the database is held too: another lease would pay for it twice. */
const heldIds = ({ running }: Loop): string[] => Array.from(running.keys(), ({ unit }) => unit.id);

const attemptedIds = ({ running, attempting }: Loop): string[] =>
  [...running.keys()].filter((work) => !attempting.has(work)).map(({ unit }) => unit.id);

async function renewLeases({ options, running }: Loop): Promise<void> {
  if (running.size === 0) return;
  const leased = Array.from(running.keys(), ({ unit }) => unit);
  await updateLeases(options.pool, leased, options.leaseMs);
}

/** Random order, so that no platform always gets the last free capacity. */
function shuffle<T>(values: readonly T[]): T[] {
  return values
    .map((value) => ({ value, order: Math.random() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ value }) => value);
}
