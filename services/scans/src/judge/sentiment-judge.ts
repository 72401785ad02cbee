import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger, untraced } from '@bv/telemetry';
import { retryDelayMs } from '../domain/retry.ts';
import type { TrackedBrand } from '../extraction/brand-matcher.ts';
import { namedSentences } from '../extraction/named-sentences.ts';
import { PlatformError } from '../platforms/platform.ts';
import { createPlatformHttp, type PlatformHttp } from '../platforms/platform-http.ts';
import type { ScanMetrics } from '../telemetry.ts';
import type { JudgeConfig } from './judge-config.ts';
import { type Judged, judgeRequest, readJudgements } from './judge-wire.ts';

export type SentimentJudge = {
  /**
   * The sentiment of each brand the text names, by its place in the list; null where the judge gave none, for whatever
   * reason: an answer is never lost over it. It may take its time, so no transaction may be open.
   */
  judge(
    answerText: string,
    brands: readonly TrackedBrand[],
    signal: AbortSignal,
  ): Promise<Map<number, number> | null>;
  close(): Promise<void>;
};

export type JudgeDeps = { metrics: ScanMetrics; log: Logger };

const maxResponseBytes = 1_000_000;
const retryBaseMs = 250;
/** A judge that is down would make every unit wait for it in vain: after so many failures it is left alone a while. */
const failuresToRest = 5;
const restMs = 30_000;

export function createSentimentJudge(config: JudgeConfig, { metrics, log }: JudgeDeps): SentimentJudge {
  const { timeoutMs, concurrency: connections } = config;
  // So many connections and no more: further questions wait for one within their deadline.
  const http = createPlatformHttp({ timeoutMs, maxResponseBytes, connections });
  let failures = 0;
  let restsUntil = 0;
  return {
    judge: async (answerText, brands, signal) => {
      const named = namedSentences(answerText, brands);
      if (named.length === 0) return new Map();
      if (performance.now() < restsUntil) {
        metrics.sentimentJudged('skipped', null);
        return null;
      }
      const startedAt = performance.now();
      try {
        const sentiments = await untraced(() =>
          ask({ config, http, metrics }, toJudge(named, brands), signal),
        );
        failures = 0;
        metrics.sentimentJudged('judged', performance.now() - startedAt);
        return sentiments;
      } catch (error) {
        failures += 1;
        if (failures >= failuresToRest) restsUntil = performance.now() + restMs;
        metrics.sentimentJudged('failed', performance.now() - startedAt);
        const reason = error instanceof Error ? error.message : 'unknown';
        log.warn({ reason }, 'no judgement of the sentiment; the lexicon is taken');
        return null;
      }
    },
    close: () => http.close(),
  };
}

function toJudge(named: ReturnType<typeof namedSentences>, brands: readonly TrackedBrand[]): Judged[] {
  return named.map(({ brand, sentences }) => ({ id: brand, name: brands[brand]?.name ?? '', sentences }));
}

type Asking = { config: JudgeConfig; http: PlatformHttp; metrics: ScanMetrics };

/** One deadline over all tries and what is waited between them. */
async function ask(
  { config, http, metrics }: Asking,
  brands: Judged[],
  stopping: AbortSignal,
): Promise<Map<number, number>> {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(config.timeoutMs)]);
  const request = {
    method: 'POST' as const,
    url: `${config.baseUrl}/v1/chat/completions`,
    headers: config.apiKey === '' ? {} : { authorization: `Bearer ${config.apiKey}` },
    body: judgeRequest(config.model, brands),
    signal,
  };
  for (let attempts = 1; ; attempts += 1) {
    try {
      return readJudgements(await http.json(request), brands);
    } catch (error) {
      metrics.judgeError(signal.aborted ? 'timeout' : kindOf(error));
      const retryable = !(error instanceof PlatformError) || error.retryable;
      if (!retryable || signal.aborted || attempts >= config.maxAttempts) throw error;
      const retryAfterSeconds = error instanceof PlatformError ? error.retryAfterSeconds : null;
      const policy = { maxAttempts: config.maxAttempts, baseMs: retryBaseMs, maxMs: config.timeoutMs };
      const delayMs = retryDelayMs(policy, { attempts, retryAfterSeconds }, Math.random());
      await sleep(delayMs, undefined, { signal });
    }
  }
}

function kindOf(error: unknown): string {
  return error instanceof PlatformError ? error.kind : 'unavailable';
}
