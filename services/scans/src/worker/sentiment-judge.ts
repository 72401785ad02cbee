import { setTimeout as sleep } from 'node:timers/promises';
import type { TrackedBrand } from '@bv/extraction';
import { type Logger, untraced } from '@bv/telemetry';
import { retryDelayMs } from '../domain/retry.ts';
import { costUsd } from '../platforms/adapter.ts';
import { PlatformError } from '../platforms/platform.ts';
import { createPlatformHttp, type PlatformHttp } from '../platforms/platform-http.ts';
import type { ScanMetrics } from '../telemetry.ts';
import type { JudgeBudget } from './judge-budget.ts';
import type { JudgeConfig } from './judge-config.ts';
import {
  buildJudgeRequest,
  type JudgeReply,
  type JudgeRequest,
  parseReply,
  type QuotedJudgement,
  readUsage,
} from './judge-request.ts';
import { createLruCache, type LruCache } from './lru-cache.ts';

/** By the index of the brand. */
type Judgements = ReadonlyMap<number, QuotedJudgement>;

export type SentimentJudge = {
  /**
   * Rates the brands that the text names, in one call. Keys are indices of `brands`. A brand whose rating was rejected is
   * omitted. Returns null instead of throwing if the LLM judge model fails or is skipped, so that no answer is lost. It can take
   * seconds: call it outside transactions.
   */
  rate(
    answerText: string,
    brands: readonly TrackedBrand[],
    options: { signal: AbortSignal },
  ): Promise<Judgements | null>;
  close(): Promise<void>;
};

/** `budget` null: no maximum. */
export type JudgeDeps = { metrics: ScanMetrics; log: Logger; budget: JudgeBudget | null };

type Judge = JudgeDeps & { config: JudgeConfig; http: PlatformHttp; cache: LruCache<Judgements> };

const maxResponseBytes = 1_000_000;
/** Another replica that gets the same text pays once more. */
const maxCacheBytes = 8_000_000;
const retryBaseMs = 250;
/** Circuit breaker: after this many consecutive failures, units skip the LLM judge model for `openMs` instead of waiting. */
const failureThreshold = 5;
const openMs = 30_000;

export function createSentimentJudge(config: JudgeConfig, deps: JudgeDeps): SentimentJudge {
  const { timeoutMs, concurrency: connections } = config;
  // Further requests wait for a free connection within their deadline.
  const http = createPlatformHttp({ timeoutMs, maxResponseBytes, connections });
  const judge: Judge = { ...deps, config, http, cache: createLruCache(maxCacheBytes, sizeOf) };
  const { metrics, log } = deps;
  let failures = 0;
  let openUntil = 0;
  let isOverBudget = false;
  return {
    rate: async (answerText, brands, { signal }) => {
      const request = buildJudgeRequest(config, answerText, brands);
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
        const judgements = await untraced(() => requestJudgements(judge, request, signal));
        failures = 0;
        isOverBudget = false;
        metrics.sentimentRated('judged', performance.now() - startedAt);
        return judgements;
      } catch (error) {
        if (error instanceof BudgetSpent) {
          if (!isOverBudget) log.warn('the monthly budget of the LLM judge is spent; the lexicon rates');
          isOverBudget = true;
          metrics.sentimentRated('over_budget', null);
          return null;
        }
        if (signal.aborted) {
          metrics.sentimentRated('skipped', null);
          return null;
        }
        failures += 1;
        if (failures >= failureThreshold) openUntil = performance.now() + openMs;
        metrics.sentimentRated('failed', performance.now() - startedAt);
        const reason = error instanceof Error ? error.message : 'unknown';
        log.warn({ reason }, 'the LLM judge failed; the lexicon rates the sentiment');
        return null;
      }
    },
    close: () => http.close(),
  };
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
async function requestReply(judge: Judge, request: JudgeRequest, stopping: AbortSignal): Promise<JudgeReply> {
  const { config, metrics } = judge;
  const deadlineAt = performance.now() + config.timeoutMs;
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(config.timeoutMs)]);
  for (let attempts = 1; ; attempts += 1) {
    try {
      return parseReply(await call(judge, request, signal), request.brands);
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

class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent';
}

/** One call within the budget. A call whose cost stays unknown, such as one without a response, counts as estimated. */
async function call(judge: Judge, request: JudgeRequest, signal: AbortSignal): Promise<unknown> {
  const { config, http, budget, metrics } = judge;
  const reservation = budget === null ? undefined : await budget.reserve(estimateUsd(config, request));
  if (reservation === null) throw new BudgetSpent();
  let cost: number | null = null;
  try {
    const body = await http.json({
      method: 'POST',
      url: config.url,
      headers: config.apiKey === '' ? {} : { authorization: `Bearer ${config.apiKey}` },
      body: request.body,
      signal,
    });
    const usage = readUsage(body);
    if (usage !== null) {
      cost = costUsd(config.prices, usage);
      metrics.judgeUsed(usage, cost);
    }
    return body;
  } catch (error) {
    if (isFree(error)) cost = 0;
    throw error;
  } finally {
    if (cost !== null) await reservation?.settle(cost);
  }
}

/** An API charges nothing for an error status or without a connection. */
function isFree(error: unknown): boolean {
  if (error instanceof PlatformError) return error.status !== null && error.status >= 300;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EAI_AGAIN';
}

/** Tokens of a judgement with its quote, and of a model's thoughts. */
const tokensPerJudgement = 80;
const thoughtTokens = 500;
/** In UTF-8: about four for English, three for a character of Chinese, which is about one token. */
const bytesPerToken = 3;

function estimateUsd({ prices }: JudgeConfig, { body, brands }: JudgeRequest): number {
  const inputTokens = Math.ceil(Buffer.byteLength(JSON.stringify(body)) / bytesPerToken);
  const outputTokens = thoughtTokens + tokensPerJudgement * brands.length;
  return costUsd(prices, { inputTokens, outputTokens, searches: 0, requests: 1 }) ?? 0;
}
