import { type PlatformId, platformIds } from '@bv/contract';
import { createGenAi, type GenAi, type Metrics } from '@bv/telemetry';
import { type FinalOutcome, wasAsked } from './commands/persist-outcome.ts';
import type { AnswerPrices } from './domain/answer-price.ts';
import type { QueueState } from './db/units.ts';
import type { Usage } from './platforms/platform.ts';

const scheduleResults = ['queued', 'skipped', 'failed'] as const;
type ScheduleResult = (typeof scheduleResults)[number];

const verificationResults = ['confirmed', 'denied', 'words'] as const;
type VerificationResult = (typeof verificationResults)[number];

type RatingResult = 'judged' | 'cached' | 'failed' | 'skipped' | 'over_budget';

/** Metrics of this service in addition to those of requests, queries and events. */
export type ScanMetrics = {
  unitFinalised(platform: PlatformId, outcome: FinalOutcome): void;
  platformError(platform: PlatformId, kind: string): void;
  leaseLost(platform: PlatformId): void;
  queue(states: readonly QueueState[]): void;
  scheduled(result: ScheduleResult): void;
  /** An answer for the LLM judge. `durationMs` null: it was not called. */
  sentimentRated(result: RatingResult, durationMs: number | null): void;
  /** A sentiment of a brand in an answer. */
  sentimentBy(method: 'llm' | 'lexicon'): void;
  /** A brand with `verify` that the words found. `words`: it has no judgement. */
  mentionVerified(result: VerificationResult): void;
  judgeError(kind: string): void;
  judgeQuotesRejected(count: number): void;
  /** Usage of a call of the LLM judge. `costUsd` null: its prices are unknown. */
  judgeUsed(usage: Usage, costUsd: number | null): void;
  /** Share of the monthly budget, 0 to 1. */
  judgeBudgetUsed(share: number): void;
  /** Spans and metrics of the calls of platforms and of the LLM judge. */
  genAi: GenAi;
};

const latencyBuckets = [0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 120, 180];

function instruments(metrics: Metrics) {
  const labelNames = ['platform'] as const;
  const units = metrics.counter({
    name: 'bv_scans_units_total',
    help: 'Units ended, by platform and outcome.',
    labelNames: ['platform', 'outcome'],
  });
  const errors = metrics.counter({
    name: 'bv_scans_platform_errors_total',
    help: 'Attempts that failed, by platform and kind.',
    labelNames: ['platform', 'kind'],
  });
  const lost = metrics.counter({
    name: 'bv_scans_leases_lost_total',
    help: 'Answers discarded because the lease was lost.',
    labelNames,
  });
  const cost = metrics.counter({
    name: 'bv_scans_cost_usd_total',
    help: 'Cost of answers, where prices are set.',
    labelNames,
  });
  const answerCost = metrics.counter({
    name: 'bv_scans_answer_cost_usd_total',
    help: 'Cost of units at the prices per answer, where they are set.',
    labelNames,
  });
  const latency = metrics.histogram({
    name: 'bv_scans_platform_latency_seconds',
    help: 'Time a platform took to answer.',
    labelNames,
    buckets: latencyBuckets,
  });
  const depth = metrics.gauge({
    name: 'bv_scans_queue_units',
    help: 'Open units of all replicas, by platform and state.',
    labelNames: ['platform', 'state'],
  });
  const age = metrics.gauge({
    name: 'bv_scans_queue_oldest_due_seconds',
    help: 'Seconds since the oldest due unit became due.',
    labelNames,
  });
  const scheduled = metrics.counter({
    name: 'bv_scans_scheduled_total',
    help: 'Daily scans decided on by this process, by result.',
    labelNames: ['result'],
  });
  // An alert cannot detect the increase of a series that starts at 1.
  for (const result of scheduleResults) scheduled.inc({ result }, 0);
  return { units, errors, lost, cost, answerCost, latency, depth, age, scheduled };
}

function createJudgeInstruments(metrics: Metrics) {
  const ratings = metrics.counter({
    name: 'bv_scans_sentiments_rated_total',
    help: 'Units for the LLM judge, by result; without its rating the sentiment is from the lexicon.',
    labelNames: ['result'],
  });
  const sentiments = metrics.counter({
    name: 'bv_scans_brand_sentiments_total',
    help: 'Sentiments of brands in answers, by what rated them: the LLM judge or the lexicon.',
    labelNames: ['method'],
  });
  const verifications = metrics.counter({
    name: 'bv_scans_mentions_verified_total',
    help: 'Mentions of brands to verify: confirmed or denied by the LLM judge, or decided by words without it.',
    labelNames: ['result'],
  });
  for (const result of verificationResults) verifications.inc({ result }, 0);
  const errorCounter = metrics.counter({
    name: 'bv_scans_sentiment_judge_errors_total',
    help: 'Failed requests to the LLM judge, by kind.',
    labelNames: ['kind'],
  });
  const quotes = metrics.counter({
    name: 'bv_scans_sentiment_judge_quotes_rejected_total',
    help: 'Ratings of the LLM judge that were rejected, because their quote is not in the text.',
  });
  const tokens = metrics.counter({
    name: 'bv_scans_sentiment_judge_tokens_total',
    help: 'Tokens of the LLM judge, by direction.',
    labelNames: ['direction'],
  });
  const cost = metrics.counter({
    name: 'bv_scans_sentiment_judge_cost_usd_total',
    help: 'Cost of the LLM judge, where the prices of its model are known.',
  });
  const budget = metrics.gauge({
    name: 'bv_scans_sentiment_judge_budget_used_ratio',
    help: 'Share of the monthly budget of the LLM judge that is spent, over all replicas.',
  });
  const durationHistogram = metrics.histogram({
    name: 'bv_scans_sentiment_judge_seconds',
    help: 'Time a unit waited for the LLM judge, over all attempts.',
    labelNames: ['result'],
    buckets: latencyBuckets,
  });
  return {
    ratings,
    sentiments,
    verifications,
    errorCounter,
    quotes,
    tokens,
    cost,
    budget,
    durationHistogram,
  };
}

type LlmJudgeMetrics = Pick<
  ScanMetrics,
  | 'sentimentRated'
  | 'sentimentBy'
  | 'mentionVerified'
  | 'judgeError'
  | 'judgeQuotesRejected'
  | 'judgeUsed'
  | 'judgeBudgetUsed'
>;

function createLlmJudgeMetrics(metrics: Metrics): LlmJudgeMetrics {
  const {
    ratings,
    sentiments,
    verifications,
    errorCounter,
    quotes,
    tokens,
    cost,
    budget,
    durationHistogram,
  } = createJudgeInstruments(metrics);
  return {
    sentimentRated: (result, durationMs) => {
      ratings.inc({ result });
      if (durationMs !== null) durationHistogram.observe({ result }, durationMs / 1_000);
    },
    sentimentBy: (method) => sentiments.inc({ method }),
    mentionVerified: (result) => verifications.inc({ result }),
    judgeError: (kind) => errorCounter.inc({ kind }),
    judgeQuotesRejected: (count) => quotes.inc(count),
    judgeUsed: ({ inputTokens, outputTokens }, costUsd) => {
      tokens.inc({ direction: 'input' }, inputTokens);
      tokens.inc({ direction: 'output' }, outputTokens);
      if (costUsd !== null) cost.inc(costUsd);
    },
    judgeBudgetUsed: (share) => budget.set(share),
  };
}

export function scanMetrics(metrics: Metrics, prices: AnswerPrices = {}): ScanMetrics {
  const { units, errors, lost, cost, answerCost, latency, depth, age, scheduled } = instruments(metrics);
  return {
    unitFinalised: (platform, outcome) => {
      if (wasAsked(outcome)) answerCost.inc({ platform }, prices[platform] ?? 0);
      if (outcome.kind === 'failed') {
        units.inc({ platform, outcome: 'failed' });
        return;
      }
      units.inc({ platform, outcome: outcome.result.outcome });
      if (outcome.costUsd !== null) cost.inc({ platform }, outcome.costUsd);
      latency.observe({ platform }, outcome.latencyMs / 1_000);
    },
    platformError: (platform, kind) => errors.inc({ platform, kind }),
    leaseLost: (platform) => lost.inc({ platform }),
    queue: (states) => {
      for (const platform of platformIds) {
        const state = states.find((candidate) => candidate.platform === platform);
        depth.set({ platform, state: 'pending' }, state?.pending ?? 0);
        depth.set({ platform, state: 'running' }, state?.running ?? 0);
        age.set({ platform }, state?.oldest_due_s ?? 0);
      }
    },
    scheduled: (result) => scheduled.inc({ result }),
    ...createLlmJudgeMetrics(metrics),
    genAi: createGenAi(metrics),
  };
}
