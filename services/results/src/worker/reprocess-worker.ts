import { RpcUnavailable } from '@bv/events';
import { createNotifier, type Notifier, startInterval } from '@bv/lifecycle';
import { isOutage } from '@bv/postgres';
import { backoffMs } from '@bv/resilience';
import { extractTraceContext, withSpan } from '@bv/telemetry';
import { LeaseLost } from '../commands/replace-day.ts';
import {
  type Lease,
  type LeasedJob,
  leaseReprocessJob,
  updateReprocessEnded,
  updateReprocessLease,
  updateReprocessReleased,
} from '../db/reprocess-leases.ts';
import { type JobDeps, runDay } from './run-job.ts';

export type ReprocessWorker = {
  /** Polls at once instead of at the next interval. */
  wake(): void;
  /** Releases the job, so that another replica can continue it at once. */
  stop(): Promise<void>;
};

export type WorkerOptions = JobDeps & {
  /** Lease duration without a heartbeat. The heartbeat runs three times in it. */
  leaseMs: number;
  /** Aborted when the process begins to stop: the worker leases nothing more. */
  signal: AbortSignal;
};

const pollMs = 1_000;
const maxAttempts = 5;
/** After a failed attempt. */
const retryBackoff = { baseMs: 1_000, maxMs: 60_000 };

/** Runs reprocess jobs, one day of one and then of the next. Any number of processes may do so at once. */
export function startReprocessWorker(options: WorkerOptions): ReprocessWorker {
  const notifier = createNotifier();
  const stopping = new AbortController();
  const signal = AbortSignal.any([stopping.signal, options.signal]);
  options.signal.addEventListener('abort', () => notifier.wake(), { once: true });
  const ended = runLoop({ ...options, signal }, notifier);
  return {
    wake: () => notifier.wake(),
    stop: async () => {
      stopping.abort(new Error('the reprocess worker stops'));
      notifier.wake();
      await ended;
      await options.reader.close();
    },
  };
}

async function runLoop(options: WorkerOptions, notifier: Notifier): Promise<void> {
  let isFailing = false;
  while (!options.signal.aborted) {
    try {
      const job = await leaseReprocessJob(options.pool, options.leaseMs);
      isFailing = false;
      if (job === undefined) await notifier.wait(pollMs);
      else await runLeased(options, job);
    } catch (error) {
      if (!isFailing) options.log.warn({ err: error }, 'reprocess jobs cannot be leased; retrying');
      isFailing = true;
      await notifier.wait(pollMs);
    }
  }
}

/** Runs one day of a job in the trace of its request. */
async function runLeased(options: WorkerOptions, job: LeasedJob): Promise<void> {
  const lease = { jobId: job.id, token: job.fencing_token };
  const log = options.log.child({ jobId: job.id, brandId: job.brand_id, requestId: job.request_id });
  const deps = { ...options, log };
  // Leased more often than attempts are allowed: the previous workers died with it.
  if (job.attempts > maxAttempts) return fail(deps, lease);
  try {
    await withHeartbeat(deps, lease, (signal) =>
      extractTraceContext({ traceparent: job.traceparent ?? undefined }, () =>
        withSpan('reprocess brand', { job: job.id }, () => runDay({ ...deps, lease, signal }, job)),
      ),
    );
  } catch (error) {
    await afterError(deps, { job, lease, error });
  }
}

/** Renews a lease while `run` runs, and aborts its signal if the lease was lost. */
async function withHeartbeat(
  { pool, leaseMs, log, signal }: WorkerOptions,
  lease: Lease,
  run: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const lost = new AbortController();
  const heartbeat = startInterval(
    leaseMs / 3,
    async () => {
      if (!(await updateReprocessLease(pool, lease, leaseMs))) lost.abort(new LeaseLost());
    },
    (error) => log.warn({ err: error }, 'the lease of a reprocess job cannot be renewed'),
  );
  try {
    await run(AbortSignal.any([signal, lost.signal]));
  } finally {
    await heartbeat.stop();
  }
}

/** Releases the job for another attempt. Not counted: a stop, and an outage of a store or of the catalog. */
async function afterError(
  options: WorkerOptions,
  { job, lease, error }: { job: LeasedJob; lease: Lease; error: unknown },
): Promise<void> {
  const { pool, metrics, log, signal } = options;
  if (signal.aborted) {
    await updateReprocessReleased(pool, lease, { delayMs: 0, countAttempt: false });
    return;
  }
  if (error instanceof LeaseLost) {
    log.warn('the lease of a reprocess job was lost; another worker continues it');
    return;
  }
  metrics.attemptFailed();
  const isDependency = error instanceof RpcUnavailable || isOutage(error);
  log.warn({ err: error, attempt: job.attempts }, 'an attempt of a reprocess job failed');
  if (!isDependency && job.attempts >= maxAttempts) {
    await fail(options, lease);
    return;
  }
  const delayMs = backoffMs(retryBackoff, job.attempts - 1);
  await updateReprocessReleased(pool, lease, { delayMs, countAttempt: !isDependency });
}

async function fail({ pool, metrics, log }: WorkerOptions, lease: Lease): Promise<void> {
  if (!(await updateReprocessEnded(pool, lease, 'failed'))) return;
  metrics.jobEnded('failed');
  log.error('reprocess job failed: all attempts of a day failed');
}
