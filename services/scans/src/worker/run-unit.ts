import { setTimeout as sleep } from 'node:timers/promises';
import type { PlatformId } from '@bv/contract';
import { isUnavailable, type Pool } from '@bv/postgres';
import { extractTraceContext, type Logger, untraced, withSpan } from '@bv/telemetry';
import { type FinalisedUnit, finaliseUnit } from '../commands/finalise-unit.ts';
import { pauseRateBucket } from '../db/fair-queue.ts';
import { updateUnitPending } from '../db/units.ts';
import { retryDelayMs, type RetryPolicy } from '../domain/retry.ts';
import type { SentimentJudge } from '../judge/sentiment-judge.ts';
import { PlatformError, type PlatformAdapter, type PlatformAnswer } from '../platforms/platform.ts';
import type { ScanMetrics } from '../telemetry.ts';
import type { Work } from './lease-work.ts';
import { buildUnitResult } from './unit-result.ts';

export type UnitDeps = {
  pool: Pool;
  adapters: Record<PlatformId, PlatformAdapter>;
  judge: SentimentJudge | null;
  retry: RetryPolicy;
  metrics: ScanMetrics;
  log: Logger;
};

/** Longest pause of a platform, over all replicas, that its `Retry-After` can cause. */
const maxPauseMs = 60_000;

/** How long a worker keeps an answer while the database is unavailable. */
const maxStoreRetryMs = 15 * 60_000;
/** Much shorter than the delay after an outage before workers take over units of others. */
const maxStoreDelayMs = 500;

/** Requests the answer, extracts and stores the result. Every outcome is one write under the unit's fencing token. */
export function runUnit(deps: UnitDeps, work: Work, stopping: AbortSignal): Promise<void> {
  const { unit, job } = work;
  // The unit's event belongs to the trace of the scan request.
  return extractTraceContext({ traceparent: job.traceparent ?? undefined }, () =>
    withSpan('scan unit', { platform: unit.platform }, () => attemptAndStore(deps, work, stopping)),
  );
}

async function attemptAndStore(deps: UnitDeps, work: Work, stopping: AbortSignal): Promise<void> {
  const write = await runAttempt(deps, work, stopping);
  try {
    await writeWithRetry(deps, write);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    // A retry would fail as well, and each one would cost another platform request.
    deps.log.error({ err: error, unit_id: work.unit.id }, 'a unit cannot be stored');
    await writeWithRetry(deps, storeFailure(deps, work, 'internal'));
  }
}

type Write = () => Promise<unknown>;

async function runAttempt(deps: UnitDeps, work: Work, stopping: AbortSignal): Promise<Write> {
  const { unit, job } = work;
  // Leased more often than attempts are allowed: the previous workers died while they held it.
  if (unit.attempts > deps.retry.maxAttempts) return storeFailure(deps, work, 'lost');
  try {
    const request = { prompt: unit.prompt_text, country: unit.country, runDate: job.run_date };
    // Trace headers are internal and must not reach a platform.
    const answer = await untraced(() => deps.adapters[unit.platform].send(request, { signal: stopping }));
    return await storeAnswer(deps, work, answer, stopping);
  } catch (error) {
    if (stopping.aborted && !(error instanceof PlatformError)) return releaseUnit(deps, work);
    return handleFailedAttempt(deps, work, error);
  }
}

async function storeAnswer(
  deps: UnitDeps,
  work: Work,
  answer: PlatformAnswer,
  signal: AbortSignal,
): Promise<Write> {
  const result = await buildUnitResult(work, answer, { judge: deps.judge, signal });
  const { latencyMs, costUsd, outcome } = answer;
  return () => finalise(deps, work, { status: outcome, costUsd, latencyMs, errorKind: null, result });
}

function storeFailure(deps: UnitDeps, work: Work, errorKind: string): Write {
  return () =>
    finalise(deps, work, { status: 'failed', costUsd: null, latencyMs: null, errorKind, result: null });
}

/** A stop of this process does not count as an attempt. Another worker can lease the unit at once. */
function releaseUnit({ pool }: UnitDeps, { unit }: Work): Write {
  return () => updateUnitPending(pool, unit, { delayMs: 0, errorKind: null, countAttempt: false });
}

function handleFailedAttempt(deps: UnitDeps, work: Work, error: unknown): Write {
  const { unit } = work;
  const platformError = error instanceof PlatformError ? error : null;
  const kind = platformError?.kind ?? 'internal';
  deps.metrics.platformError(unit.platform, kind);
  const fields = { unit_id: unit.id, platform: unit.platform, attempt: unit.attempts, kind };
  // Platform failures are expected; only an internal error needs a stack trace.
  if (platformError === null)
    deps.log.error({ ...fields, err: error }, 'a unit failed with an internal error');
  else deps.log.warn({ ...fields, reason: platformError.message }, 'a platform request failed');
  if (platformError?.retryable === false || unit.attempts >= deps.retry.maxAttempts)
    return storeFailure(deps, work, kind);
  const retryAfterSeconds = platformError?.retryAfterSeconds ?? null;
  const delayMs = retryDelayMs(deps.retry, { attempts: unit.attempts, retryAfterSeconds }, Math.random());
  return async () => {
    if (kind === 'rate_limited' && retryAfterSeconds !== null) {
      await pauseRateBucket(deps.pool, unit.platform, Math.min(maxPauseMs, retryAfterSeconds * 1_000));
    }
    await updateUnitPending(deps.pool, unit, { delayMs, errorKind: kind, countAttempt: true });
  };
}

async function finalise(
  { pool, metrics, log }: UnitDeps,
  { unit }: Work,
  outcome: Omit<FinalisedUnit, 'unit'>,
): Promise<void> {
  if (!(await finaliseUnit(pool, { ...outcome, unit }))) {
    metrics.leaseLost(unit.platform);
    log.warn(
      { unit_id: unit.id, platform: unit.platform },
      'the lease was lost; another worker finalises the unit',
    );
    return;
  }
  metrics.unitFinished(unit.platform, outcome);
}

/** Retries while the database is unavailable, because an answer has a cost. */
async function writeWithRetry({ log }: UnitDeps, write: Write): Promise<void> {
  let failing = false;
  const deadline = Date.now() + maxStoreRetryMs;
  for (let waitMs = 100; ; waitMs = Math.min(maxStoreDelayMs, waitMs * 2)) {
    try {
      await write();
      return;
    } catch (error) {
      if (!isUnavailable(error) || Date.now() + waitMs > deadline) throw error;
      if (!failing) log.warn({ err: error }, 'a unit cannot be stored yet; retrying');
      failing = true;
      await sleep(waitMs);
    }
  }
}
