import type { UnitResult } from '../commands/persist-outcome.ts';
import { toStorableAnswer } from '../domain/storable-answer.ts';
import { type BrandResult, extract } from '@bv/extraction';
import type { SentimentJudge } from './sentiment-judge.ts';
import type { PlatformAnswer } from '../platforms/platform.ts';
import type { Work } from './lease-work.ts';

/** Builds the event data of an answered unit. The sentiment is from the LLM judge if configured, else from the lexicon. */
export async function buildUnitResult(
  { unit, job }: Work,
  answer: PlatformAnswer,
  { judge, signal }: { judge: SentimentJudge | null; signal: AbortSignal },
): Promise<UnitResult> {
  const storable = toStorableAnswer(answer);
  const brands = job.tracked_brands;
  // The truncated text, so that the result is derived from the text that readers see.
  const brandResults = extract({ answerText: storable.answerText, sources: storable.sources, brands });
  const ratings = (await judge?.rate(storable.answerText ?? '', brands, signal)) ?? null;
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
    sentiment_method: toSentimentMethod(brandResults, ratings),
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
        sentiment: ratings?.get(index) ?? brandResult.sentiment,
        cited: brandResult.cited,
      };
    }),
  };
}

/** Null if no brand has a sentiment. */
function toSentimentMethod(
  brandResults: readonly BrandResult[],
  ratings: ReadonlyMap<number, number> | null,
) {
  if (brandResults.every(({ sentiment }) => sentiment === null)) return null;
  return ratings === null ? 'lexicon' : 'llm';
}
