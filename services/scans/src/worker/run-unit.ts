import { setTimeout as sleep } from 'node:timers/promises';
import type { PlatformId } from '@bv/contract';
import { isUnavailable, type Pool } from '@bv/postgres';
import { extractTraceContext, type Logger, untraced, withSpan } from '@bv/telemetry';
import { type Ending, finaliseUnit } from '../commands/finalise-unit.ts';
import { pauseRateBucket } from '../db/fair-queue.ts';
import { updateUnitPending } from '../db/units.ts';
import { retryDelayMs, type RetryPolicy } from '../domain/retry.ts';
import type { SentimentJudge } from '../judge/sentiment-judge.ts';
import { PlatformError, type PlatformAdapter, type PlatformAnswer } from '../platforms/platform.ts';
import type { ScanMetrics } from '../telemetry.ts';
import type { Work } from './lease-work.ts';
import { findingOf } from './finding.ts';

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

/** Asks the platform, extracts and stores; every way this can go ends in one write under the unit's fence. */
export function runUnit(deps: UnitDeps, work: Work, stopping: AbortSignal): Promise<void> {
  const { unit, job } = work;
  // What is published with the end of the unit belongs to the trace of the request that asked for the scan.
  return extractTraceContext({ traceparent: job.traceparent ?? undefined }, () =>
    withSpan('scan unit', { platform: unit.platform }, () => attemptAndStore(deps, work, stopping)),
  );
}

async function attemptAndStore(deps: UnitDeps, work: Work, stopping: AbortSignal): Promise<void> {
  const write = await attempt(deps, work, stopping);
  try {
    await writeWithRetry(deps, write);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    // What cannot be stored now never can: without this the platform would be asked for it again and again.
    deps.log.error({ err: error, unit_id: work.unit.id }, 'a unit cannot be stored');
    await writeWithRetry(deps, failed(deps, work, 'internal'));
  }
}

type Write = () => Promise<unknown>;

async function attempt(deps: UnitDeps, work: Work, stopping: AbortSignal): Promise<Write> {
  const { unit, job } = work;
  // Claimed more often than tried: the workers that had it died over it.
  if (unit.attempts > deps.retry.maxAttempts) return failed(deps, work, 'lost');
  try {
    const question = { prompt: unit.prompt_text, country: unit.country, runDate: job.run_date };
    // A platform is not told of our traces.
    const answer = await untraced(() => deps.adapters[unit.platform].ask(question, { signal: stopping }));
    return await answered(deps, work, answer, stopping);
  } catch (error) {
    if (stopping.aborted && !(error instanceof PlatformError)) return released(deps, work);
    return failedAttempt(deps, work, error);
  }
}

async function answered(
  deps: UnitDeps,
  work: Work,
  answer: PlatformAnswer,
  signal: AbortSignal,
): Promise<Write> {
  const finding = await findingOf(work, answer, { judge: deps.judge, signal });
  const { latencyMs, costUsd, outcome } = answer;
  return () => end(deps, work, { status: outcome, costUsd, latencyMs, errorKind: null, finding });
}

function failed(deps: UnitDeps, work: Work, errorKind: string): Write {
  return () =>
    end(deps, work, { status: 'failed', costUsd: null, latencyMs: null, errorKind, finding: null });
}

/** A stop of this process is no attempt; another worker takes the unit at once. */
function released({ pool }: UnitDeps, { unit }: Work): Write {
  return () => updateUnitPending(pool, unit, { delayMs: 0, errorKind: null, countAttempt: false });
}

function failedAttempt(deps: UnitDeps, work: Work, error: unknown): Write {
  const { unit } = work;
  const known = error instanceof PlatformError ? error : null;
  const kind = known?.kind ?? 'internal';
  deps.metrics.platformError(unit.platform, kind);
  const fields = { unit_id: unit.id, platform: unit.platform, attempt: unit.attempts, kind };
  // Platforms fail every day; only a fault of our own is worth a stack.
  if (known === null) deps.log.error({ ...fields, err: error }, 'a unit failed by a fault of this service');
  else deps.log.warn({ ...fields, reason: known.message }, 'a platform did not answer');
  if (known?.retryable === false || unit.attempts >= deps.retry.maxAttempts) return failed(deps, work, kind);
  const retryAfterSeconds = known?.retryAfterSeconds ?? null;
  const delayMs = retryDelayMs(deps.retry, { attempts: unit.attempts, retryAfterSeconds }, Math.random());
  return async () => {
    if (kind === 'rate_limited' && retryAfterSeconds !== null) {
      await pauseRateBucket(deps.pool, unit.platform, Math.min(maxPauseMs, retryAfterSeconds * 1_000));
    }
    await updateUnitPending(deps.pool, unit, { delayMs, errorKind: kind, countAttempt: true });
  };
}

async function end(
  { pool, metrics, log }: UnitDeps,
  { unit }: Work,
  ending: Omit<Ending, 'unit'>,
): Promise<void> {
  if (!(await finaliseUnit(pool, { ...ending, unit }))) {
    metrics.leaseLost(unit.platform);
    log.warn(
      { unit_id: unit.id, platform: unit.platform },
      'the lease was lost; another worker ends the unit',
    );
    return;
  }
  metrics.unitEnded(unit.platform, ending);
}

/** An answer has been paid for: an outage of the database does not lose it. */
async function writeWithRetry({ log }: UnitDeps, write: Write): Promise<void> {
  let failing = false;
  const deadline = Date.now() + maxStoreRetryMs;
  for (let waitMs = 100; ; waitMs = Math.min(maxStoreDelayMs, waitMs * 2)) {
    try {
      await write();
      return;
    } catch (error) {
      if (!isUnavailable(error) || Date.now() + waitMs > deadline) throw error;
      if (!failing) log.warn({ err: error }, 'a unit cannot be stored yet; trying again');
      failing = true;
      await sleep(waitMs);
    }
  }
}
