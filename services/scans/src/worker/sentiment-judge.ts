import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { TrackedBrand } from '@bv/extraction';
import type { Logger } from '@bv/telemetry';
import { retryDelayMs } from '../domain/retry.ts';
import { PlatformError } from '../platforms/platform.ts';
import type { ScanMetrics } from '../telemetry.ts';
import type { JudgeBudget } from './judge-budget.ts';
import { BudgetSpent, createJudgeApi, type JudgeApi } from './judge-api.ts';
import type { JudgeConfig } from './judge-config.ts';
import {
  buildJudgeRequest,
  isContentRefusal,
  type JudgeReply,
  type JudgeRequest,
  parseReply,
  type QuotedJudgement,
} from './judge-request.ts';
import {
  buildNamesRequest,
  listUnknown,
  type NameJudgements,
  type Names,
  parseNames,
} from './name-request.ts';

/** By the index of the brand. */
type Judgements = ReadonlyMap<number, QuotedJudgement>;

/** `only`: indices of the brands to rate; without it, all. */
type RateOptions = { signal: AbortSignal; only?: ReadonlySet<number> };

export type SentimentJudge = {
  /**
   * Rates the brands that the text names, in one call. Keys are indices of `brands`. A brand whose rating was rejected is
   * omitted. Returns null instead of throwing if the LLM judge fails or is skipped, so that no answer is lost. It can take
   * seconds: call it outside transactions.
   */
  rate(answerText: string, brands: readonly TrackedBrand[], options: RateOptions): Promise<Judgements | null>;
  /**
   * Sorts names that answers present, in one call without a retry. Null as for `rate`, empty if the reply is malformed. A
   * content filter would refuse the names again: all of them are unknown.
   */
  judgeNames(names: Names, stopping: AbortSignal): Promise<NameJudgements | null>;
  close(): Promise<void>;
};

/** `budget` null: no maximum. */
export type JudgeDeps = { metrics: ScanMetrics; log: Logger; budget: JudgeBudget | null };

type Judge = Pick<JudgeDeps, 'metrics'> & {
  config: JudgeConfig;
  api: JudgeApi;
  cache: LRUCache<string, Judgements>;
};

/** Another replica that gets the same text pays once more. */
const maxCacheBytes = 8_000_000;
const retryBaseMs = 250;
/** Circuit breaker: after this many consecutive failures, units skip the LLM judge for `openMs` instead of waiting. */
const failureThreshold = 5;
const openMs = 30_000;

export function createSentimentJudge(config: JudgeConfig, deps: JudgeDeps): SentimentJudge {
  const { metrics, log } = deps;
  const api = createJudgeApi(config, deps);
  const cache = new LRUCache<string, Judgements>({ maxSize: maxCacheBytes, sizeCalculation: sizeOf });
  const judge: Judge = { metrics, config, api, cache };
  let failures = 0;
  let openUntil = 0;
  let isOverBudget = false;

  const onError = (error: unknown, startedAt: number, signal: AbortSignal): void => {
    if (error instanceof BudgetSpent) {
      if (!isOverBudget) log.warn('the monthly budget of the LLM judge is spent; the lexicon rates');
      isOverBudget = true;
      metrics.sentimentRated('over_budget', null);
      return;
    }
    if (signal.aborted) {
      metrics.sentimentRated('skipped', null);
      return;
    }
    // A refusal is about one answer: the API works.
    if (!isContentRefusal(error)) failures += 1;
    if (failures >= failureThreshold) openUntil = performance.now() + openMs;
    metrics.sentimentRated('failed', performance.now() - startedAt);
    const reason = error instanceof Error ? error.message : 'unknown';
    log.warn({ reason }, 'the LLM judge failed; the lexicon rates the sentiment');
  };

  return {
    rate: async (answerText, brands, { signal, only }) => {
      const request = buildJudgeRequest(config, answerText, brands, only);
      if (request === null) return new Map();
      const kept = judge.cache.get(request.key);
      if (kept !== undefined) {
        metrics.sentimentRated('cached', null);
        return kept;
      }
      if (performance.now() < openUntil) {
        metrics.sentimentRated('skipped', null);
        return null;
      }
      const startedAt = performance.now();
      try {
        const judgements = await requestJudgements(judge, request, signal);
        failures = 0;
        isOverBudget = false;
        metrics.sentimentRated('judged', performance.now() - startedAt);
        return judgements;
      } catch (error) {
        onError(error, startedAt, signal);
        return null;
      }
    },
    judgeNames: async (names, stopping) =>
      performance.now() < openUntil ? null : requestNames({ config, api, metrics, log }, names, stopping),
    close: () => api.close(),
  };
}

type NameJudge = Pick<Judge, 'config' | 'api' | 'metrics'> & Pick<JudgeDeps, 'log'>;

async function requestNames({ config, api, metrics, log }: NameJudge, names: Names, stopping: AbortSignal) {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(config.timeoutMs)]);
  try {
    return parseNames(await api.call(buildNamesRequest(config, names), signal), names);
  } catch (error) {
    const kind = signal.aborted ? 'timeout' : toErrorKind(error);
    if (!(error instanceof BudgetSpent)) metrics.judgeError(kind);
    const reason = error instanceof Error ? error.message : 'unknown';
    log.warn({ reason }, 'the LLM judge failed to sort names; their domains decide');
    if (isContentRefusal(error)) return listUnknown(names);
    return kind === 'malformed' ? [] : null;
  }
}

/** About the bytes of judgements in memory. */
function sizeOf(judgements: Judgements): number {
  let bytes = 200;
  for (const { quote } of judgements.values()) bytes += 100 + 2 * quote.length;
  return bytes;
}

/** Requests the judgements and keeps them. A rating without a quote of the text is rejected and counted. */
async function requestJudgements(
  judge: Judge,
  request: JudgeRequest,
  stopping: AbortSignal,
): Promise<Judgements> {
  const { judgements, withoutQuote } = await requestReply(judge, request, stopping);
  judge.metrics.judgeQuotesRejected(withoutQuote.length);
  // Not after a rejected quote: the next call may give a true one.
  if (withoutQuote.length === 0) judge.cache.set(request.key, judgements);
  return judgements;
}

/** One deadline covers all attempts and the delays between them. */
async function requestReply(
  { config, metrics, api }: Judge,
  request: JudgeRequest,
  stopping: AbortSignal,
): Promise<JudgeReply> {
  const deadlineAt = performance.now() + config.timeoutMs;
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(config.timeoutMs)]);
  for (let attempts = 1; ; attempts += 1) {
    try {
      return parseReply(await api.call(request, signal), request.brands);
    } catch (error) {
      if (error instanceof BudgetSpent) throw error;
      metrics.judgeError(signal.aborted ? 'timeout' : toErrorKind(error));
      const retryable = !(error instanceof PlatformError) || error.retryable;
      if (!retryable || signal.aborted || attempts >= config.maxAttempts) throw error;
      const retryAfterSeconds = error instanceof PlatformError ? error.retryAfterSeconds : null;
      const policy = { maxAttempts: config.maxAttempts, baseMs: retryBaseMs, maxMs: config.timeoutMs };
      const delayMs = retryDelayMs(policy, { attempts, retryAfterSeconds }, Math.random());
      // A delay beyond the deadline would only hold the worker.
      if (performance.now() + delayMs >= deadlineAt) throw error;
      await sleep(delayMs, undefined, { signal });
    }
  }
}

function toErrorKind(error: unknown): string {
  return error instanceof PlatformError ? error.kind : 'unavailable';
}
