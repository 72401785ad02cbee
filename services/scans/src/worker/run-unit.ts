import { setTimeout as sleep } from 'node:timers/promises';
import type { PlatformId } from '@bv/contract';
import { failpoint } from '@bv/lifecycle';
import { isUnavailable, type Pool } from '@bv/postgres';
import { backoffMs } from '@bv/resilience';
import { extractTraceContext, injectTraceContext, type Logger, withSpan } from '@bv/telemetry';
import { type Outcome, requeueUnit } from '../commands/persist-outcome.ts';
import { findJobBrands } from '../db/jobs.ts';
import { retryDelayMs, type RetryPolicy } from '../domain/retry.ts';
import { PlatformError, type PlatformAdapter } from '../platforms/platform.ts';
import type { ScanMetrics } from '../telemetry.ts';
import type { Work } from './lease-work.ts';
import type { SentimentJudge } from './sentiment-judge.ts';
import type { TrackedBrands } from './tracked-brands.ts';
import type { FinaliseUnit } from './unit-finaliser.ts';
import { buildUnitResult } from './unit-result.ts';

export type UnitDeps = {
  pool: Pool;
  adapters: Record<PlatformId, PlatformAdapter>;
  judge: SentimentJudge | null;
  trackedBrands: TrackedBrands;
  retry: RetryPolicy;
  metrics: ScanMetrics;
  log: Logger;
};

type Deps = UnitDeps & {
  finalise: FinaliseUnit;
  /** Runs when the attempt has ended, before its outcome is stored. */
  onAttempted: () => void;
};

/** Longest pause of a platform, over all replicas, that its `Retry-After` can cause. */
const maxPauseMs = 60_000;

/** How long a worker keeps an answer while the database is unavailable. */
const maxStoreRetryMs = 15 * 60_000;
/** Much shorter than the delay after an outage before workers take over units of others. */
const storeBackoff = { baseMs: 100, maxMs: 500 };

/** Makes one attempt of a leased unit and stores its outcome. */
export function runUnit(deps: Deps, work: Work, stopping: AbortSignal): Promise<void> {
  const { unit, job } = work;
  // The unit's event belongs to the trace of the scan request.
  return extractTraceContext({ traceparent: job.traceparent ?? undefined }, () =>
    withSpan('scan unit', { platform: unit.platform }, async () => {
      const outcome = await attempt(deps, work, stopping);
      deps.onAttempted();
      try {
        await store(deps, work, outcome);
      } catch (error) {
        if (isUnavailable(error)) throw error;
        // A retry would fail as well, and each one would cost another platform request.
        deps.log.error({ err: error, unit_id: unit.id }, 'a unit cannot be stored');
        await store(deps, work, { kind: 'failed', errorKind: 'internal' });
      }
    }),
  );
}

/** Requests the answer and extracts its result. */
async function attempt(deps: UnitDeps, work: Work, stopping: AbortSignal): Promise<Outcome> {
  const { unit, job } = work;
  // Leased more often than attempts are allowed: the previous workers died while they held it.
  if (unit.attempts > deps.retry.maxAttempts) return { kind: 'failed', errorKind: 'lost' };
  try {
    const request = { prompt: unit.prompt_text, country: unit.country, runDate: job.run_date };
    const answer = await deps.adapters[unit.platform].send(request, { signal: stopping });
    const { judge, metrics } = deps;
    const brands = await listBrands(deps, job);
    const result = await buildUnitResult(work, answer, { brands, judge, metrics, signal: stopping });
    return { kind: 'answered', result, costUsd: answer.costUsd, latencyMs: answer.latencyMs };
  } catch (error) {
    if (stopping.aborted && !(error instanceof PlatformError)) return { kind: 'released' };
    return afterError(deps, work, error);
  }
}

/** The brands to search for, as they are now. Waits while the database is unavailable, because an answer has a cost. */
function listBrands({ pool, trackedBrands, log }: UnitDeps, job: Work['job']) {
  const findStored = () => findJobBrands(pool, job.id);
  return retryWhileUnavailable(log, () => trackedBrands.list(job.brand_id, findStored));
}

/** Retries what another attempt may solve, as often as attempts are allowed. */
function afterError({ metrics, log, retry }: UnitDeps, { unit }: Work, error: unknown): Outcome {
  const { attempts, platform } = unit;
  const platformError = error instanceof PlatformError ? error : null;
  const errorKind = platformError?.kind ?? 'internal';
  metrics.platformError(platform, errorKind);
  const fields = { unit_id: unit.id, platform, attempt: attempts, kind: errorKind };
  // Platform failures are expected; only an internal error needs a stack trace.
  if (platformError === null) log.error({ ...fields, err: error }, 'a unit failed with an internal error');
  else log.warn({ ...fields, reason: platformError.message }, 'a platform request failed');
  if (platformError?.retryable === false || attempts >= retry.maxAttempts)
    return { kind: 'failed', errorKind };
  const retryAfterSeconds = platformError?.retryAfterSeconds ?? null;
  const isPaused = errorKind === 'rate_limited' && retryAfterSeconds !== null;
  return {
    kind: 'retry',
    errorKind,
    delayMs: retryDelayMs(retry, { attempts, retryAfterSeconds }, Math.random()),
    pauseMs: isPaused ? Math.min(maxPauseMs, retryAfterSeconds * 1_000) : null,
  };
}

/** Stores the outcome. Retries while the database is unavailable, because an answer has a cost. */
async function store(deps: Deps, { unit }: Work, outcome: Outcome): Promise<void> {
  const { pool, metrics, log, finalise } = deps;
  if (outcome.kind === 'retry' || outcome.kind === 'released') {
    await retryWhileUnavailable(log, () => requeueUnit(pool, unit, outcome));
    return;
  }
  failpoint('unit.answered');
  const { traceparent } = injectTraceContext<{ traceparent?: string }>({});
  if (await retryWhileUnavailable(log, () => finalise({ unit, outcome, traceparent }))) {
    metrics.unitFinalised(unit.platform, outcome);
    return;
  }
  metrics.leaseLost(unit.platform);
  const fields = { unit_id: unit.id, platform: unit.platform };
  log.warn(fields, 'the lease was lost; another worker finalises the unit');
}

async function retryWhileUnavailable<T>(log: Logger, access: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + maxStoreRetryMs;
  for (let retry = 0; ; retry += 1) {
    try {
      return await access();
    } catch (error) {
      const waitMs = backoffMs(storeBackoff, retry);
      if (!isUnavailable(error) || performance.now() + waitMs > deadline) throw error;
      if (retry === 0) log.warn({ err: error }, 'a unit cannot be stored yet; retrying');
      await sleep(waitMs);
    }
  }
}
