import { setTimeout as sleep } from 'node:timers/promises';
import { type PlatformId, platformIds } from '@bv/contract';
import { checkWritable } from '@bv/postgres';
import { insertLanes } from '../db/lanes.ts';
import { listDuePlatforms, updateLeases } from '../db/units.ts';
import { createPause, type Pause, startInterval } from '@bv/lifecycle';
import { claim, type Lane, type Work } from './claim.ts';
import { createJobPlans, type JobPlans } from './job-plans.ts';
import { runUnit, type UnitDeps } from './run-unit.ts';

export type WorkerOptions = UnitDeps & {
  lanes: Record<PlatformId, Lane>;
  /** Units this process works on at the same time, all platforms together. */
  concurrency: number;
  /** How long a claim holds without a sign of life; one is given three times as often. */
  leaseMs: number;
  /** Aborted when the process begins to stop: from then on nothing is claimed. */
  signal: AbortSignal;
};

export type Worker = {
  /** Looks for work at once instead of at the next poll. */
  wake(): void;
  /** Hands back what is at work; another replica takes it at once. */
  stop(): Promise<void>;
};

const pollMs = 250;
const pauseAfterErrorMs = 1_000;
/** While the database cannot be used; a worker is back this soon after it can. */
const renewAgainMs = 500;
/**
 * After an outage, or a start that may follow one, units of other workers are left alone for so long, although their
 * leases ended: a worker needs up to 3 s to notice that its connection attempt hangs, and renews its leases after that.
 */
const takeOverAfterMs = 5_000;
/** Little beside the seconds a platform takes to answer. */
const gatherMs = 20;

type Loop = {
  options: WorkerOptions;
  plans: JobPlans;
  /** What is at work, by the unit that is worked on. */
  running: Map<Work, Promise<void>>;
  pause: Pause;
  stop: AbortController;
  /** When units of lost workers may be claimed; of the monotonic clock. */
  takeOverFrom: number;
};

/** Takes due units and runs them. Any number of processes may do so at once. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  await insertLanes(options.pool, platformIds);
  const loop: Loop = {
    options,
    plans: createJobPlans(),
    running: new Map(),
    pause: createPause(),
    stop: new AbortController(),
    takeOverFrom: performance.now() + takeOverAfterMs,
  };
  const ended = work(loop);
  const signsOfLife = startInterval(
    options.leaseMs / 3,
    () => renewLeases(loop),
    (error) => {
      options.log.warn({ err: error }, 'leases cannot be renewed');
      loop.takeOverFrom = performance.now() + takeOverAfterMs;
    },
    { retryMs: renewAgainMs },
  );
  return {
    wake: () => loop.pause.wake(),
    stop: async () => {
      loop.stop.abort(new Error('the worker stops'));
      loop.pause.wake();
      await ended;
      await Promise.all(loop.running.values());
      await signsOfLife.stop();
    },
  };
}

async function work(loop: Loop): Promise<void> {
  const { options, pause, stop } = loop;
  const stopping = (): boolean => stop.signal.aborted || options.signal.aborted;
  let failing = false;
  while (!stopping()) {
    try {
      if (failing) {
        await checkWritable(options.pool);
        await renewLeases(loop);
        loop.takeOverFrom = performance.now() + takeOverAfterMs;
      }
      const claimed = await claimRound(loop);
      if (failing) options.log.info('units can be claimed again');
      failing = false;
      // Units that end close together are replaced by one claim, not by one each.
      await (claimed === 0 ? pause.wait(pollMs) : sleep(gatherMs));
    } catch (error) {
      if (!failing) options.log.warn({ err: error }, 'no units can be claimed; trying again');
      failing = true;
      if (!stopping()) await sleep(pauseAfterErrorMs, undefined, { ref: false });
    }
  }
}

/** One look at every platform with due units; the room of this process is shared out among them. */
async function claimRound(loop: Loop): Promise<number> {
  const { options, plans, running, stop } = loop;
  if (running.size >= options.concurrency) return 0;
  const due = await listDuePlatforms(options.pool, platformIds);
  let claimed = 0;
  for (const [index, platform] of shuffled(due).entries()) {
    const limit = Math.ceil((options.concurrency - running.size) / (due.length - index));
    if (limit <= 0 || stop.signal.aborted) break;
    const { leaseMs } = options;
    const found = await claim(options.pool, plans, {
      platform,
      lane: options.lanes[platform],
      limit,
      leaseMs,
      takeOver: performance.now() >= loop.takeOverFrom,
    });
    for (const unit of found) run(loop, unit);
    claimed += found.length;
  }
  return claimed;
}

function run({ options, running, pause, stop }: Loop, work: Work): void {
  const ended = runUnit(options, work, stop.signal)
    .catch((error: unknown) => {
      options.log.error({ err: error, unit_id: work.unit.id }, 'a unit was given up until its lease ends');
    })
    .finally(() => {
      running.delete(work);
      pause.wake();
    });
  running.set(work, ended);
}

async function renewLeases({ options, running }: Loop): Promise<void> {
  if (running.size === 0) return;
  const held = Array.from(running.keys(), ({ unit }) => unit);
  await updateLeases(options.pool, held, options.leaseMs);
}

/** So that no platform is always first to the last free places. */
function shuffled<T>(values: readonly T[]): T[] {
  return values
    .map((value) => ({ value, order: Math.random() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ value }) => value);
}
