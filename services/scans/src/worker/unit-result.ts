import type { UnitResult } from '../commands/persist-outcome.ts';
import { toStorableAnswer } from '../domain/storable-answer.ts';
import { type BrandResult, extract } from '@bv/extraction';
import type { SentimentJudge } from './sentiment-judge.ts';
import type { PlatformAnswer } from '../platforms/platform.ts';
import type { ScanMetrics } from '../telemetry.ts';
import type { Judgement } from './judge-request.ts';
import type { Work } from './lease-work.ts';

type Options = { judge: SentimentJudge | null; metrics: ScanMetrics; signal: AbortSignal };

/** Builds the event data of an answered unit. The lexicon rates the brands that the LLM judge model does not. */
export async function buildUnitResult(
  { unit, job }: Work,
  answer: PlatformAnswer,
  { judge, metrics, signal }: Options,
): Promise<UnitResult> {
  const storable = toStorableAnswer(answer);
  const brands = job.tracked_brands;
  // The truncated text, so that the result is derived from the text that readers see.
  const brandResults = extract({ answerText: storable.answerText, sources: storable.sources, brands });
  const judgements = (await judge?.rate(storable.answerText ?? '', brands, signal)) ?? null;
  const sentiments = brandResults.map((result, index) => toSentiment(result, judgements?.get(index)));
  for (const { method } of sentiments) if (method !== null) metrics.sentimentBy(method);
  return {
    unit_id: unit.id,
    job_id: job.id,
    org_id: job.org_id,
    brand_id: job.brand_id,
    prompt_id: unit.prompt_id,
    platform: unit.platform,
    country: unit.country,
    run_date: job.run_date,
    outcome: answer.outcome,
    answer_text: storable.answerText,
    answer_truncated: storable.answerTruncated,
    model: storable.model,
    search_used: answer.searchUsed,
    localization: answer.localization,
    search_queries: storable.searchQueries,
    sources: storable.sources,
    sentiment_method: toUnitMethod(sentiments),
    brands: brandResults.flatMap((brandResult, index) => {
      const brand = brands[index];
      if (brand === undefined) return [];
      return {
        brand_id: brand.id,
        name: brand.name,
        domain: brand.domain,
        is_own: brand.isOwn,
        mentioned: brandResult.mentioned,
        mention_count: brandResult.mentionCount,
        position: brandResult.position,
        sentiment: sentiments[index]?.value ?? null,
        cited: brandResult.cited,
      };
    }),
  };
}

type Sentiment = { value: number | null; method: 'llm' | 'lexicon' | null };

function toSentiment({ mentioned, sentiment }: BrandResult, judgement: Judgement | undefined): Sentiment {
  if (mentioned && judgement !== undefined) return { value: judgement.sentiment, method: 'llm' };
  return { value: sentiment, method: sentiment === null ? null : 'lexicon' };
}

/** `llm` only if the LLM judge model rated every sentiment of the answer. Null if no brand has a sentiment. */
function toUnitMethod(sentiments: readonly Sentiment[]): Sentiment['method'] {
  const methods = new Set(sentiments.map(({ method }) => method));
  if (methods.has('lexicon')) return 'lexicon';
  return methods.has('llm') ? 'llm' : null;
}
