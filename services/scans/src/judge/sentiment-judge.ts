import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger, untraced } from '@bv/telemetry';
import { retryDelayMs } from '../domain/retry.ts';
import { namedSentences, type TrackedBrand } from '@bv/extraction';
import { PlatformError } from '../platforms/platform.ts';
import { createPlatformHttp, type PlatformHttp } from '../platforms/platform-http.ts';
import type { ScanMetrics } from '../telemetry.ts';
import type { JudgeConfig } from './judge-config.ts';
import { type BrandSentences, buildJudgeRequest, parseJudgements } from './judge-wire.ts';

export type SentimentJudge = {
  /**
   * Rates each brand that the text names. Keys are indices of `brands`, values 0 to 100. Returns null instead of throwing
   * if the LLM judge fails or is skipped, so that no answer is lost. It can take seconds: call it outside transactions.
   */
  rate(
    answerText: string,
    brands: readonly TrackedBrand[],
    signal: AbortSignal,
  ): Promise<Map<number, number> | null>;
  close(): Promise<void>;
};

export type JudgeDeps = { metrics: ScanMetrics; log: Logger };

const maxResponseBytes = 1_000_000;
const retryBaseMs = 250;
/** Circuit breaker: after this many consecutive failures, units skip the LLM judge for `openMs` instead of waiting. */
const failureThreshold = 5;
const openMs = 30_000;

export function createSentimentJudge(config: JudgeConfig, { metrics, log }: JudgeDeps): SentimentJudge {
  const { timeoutMs, concurrency: connections } = config;
  // Further requests wait for a free connection within their deadline.
  const http = createPlatformHttp({ timeoutMs, maxResponseBytes, connections });
  let failures = 0;
  let openUntil = 0;
  return {
    rate: async (answerText, brands, signal) => {
      const namedBrands = namedSentences(answerText, brands);
      if (namedBrands.length === 0) return new Map();
      if (performance.now() < openUntil) {
        metrics.sentimentRated('skipped', null);
        return null;
      }
      const startedAt = performance.now();
      try {
        const sentiments = await untraced(() =>
          requestRatings({ config, http, metrics }, toBrandSentences(namedBrands, brands), signal),
        );
        failures = 0;
        metrics.sentimentRated('judged', performance.now() - startedAt);
        return sentiments;
      } catch (error) {
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

function toBrandSentences(
  namedBrands: ReturnType<typeof namedSentences>,
  brands: readonly TrackedBrand[],
): BrandSentences[] {
  return namedBrands.map(({ brand, sentences }) => ({
    id: brand,
    name: brands[brand]?.name ?? '',
    sentences,
  }));
}

type RequestDeps = { config: JudgeConfig; http: PlatformHttp; metrics: ScanMetrics };

/** Requests the ratings. One deadline covers all attempts and the delays between them. */
async function requestRatings(
  { config, http, metrics }: RequestDeps,
  brands: BrandSentences[],
  stopping: AbortSignal,
): Promise<Map<number, number>> {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(config.timeoutMs)]);
  const request = {
    method: 'POST' as const,
    url: `${config.baseUrl}/v1/chat/completions`,
    headers: config.apiKey === '' ? {} : { authorization: `Bearer ${config.apiKey}` },
    body: buildJudgeRequest(config.model, brands),
    signal,
  };
  for (let attempts = 1; ; attempts += 1) {
    try {
      return parseJudgements(await http.json(request), brands);
    } catch (error) {
      metrics.judgeError(signal.aborted ? 'timeout' : toErrorKind(error));
      const retryable = !(error instanceof PlatformError) || error.retryable;
      if (!retryable || signal.aborted || attempts >= config.maxAttempts) throw error;
      const retryAfterSeconds = error instanceof PlatformError ? error.retryAfterSeconds : null;
      const policy = { maxAttempts: config.maxAttempts, baseMs: retryBaseMs, maxMs: config.timeoutMs };
      const delayMs = retryDelayMs(policy, { attempts, retryAfterSeconds }, Math.random());
      await sleep(delayMs, undefined, { signal });
    }
  }
}

function toErrorKind(error: unknown): string {
  return error instanceof PlatformError ? error.kind : 'unavailable';
}
