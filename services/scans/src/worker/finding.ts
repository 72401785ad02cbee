import type { Finding } from '../commands/finalise-unit.ts';
import { storableAnswer } from '../domain/storable-answer.ts';
import { type BrandFinding, extract } from '../extraction/extract.ts';
import type { SentimentJudge } from '../judge/sentiment-judge.ts';
import type { PlatformAnswer } from '../platforms/platform.ts';
import type { Work } from './lease-work.ts';

/** What a platform's answer says of the job's brands, as it is told to others; the judge is asked where there is one. */
export async function findingOf(
  { unit, job }: Work,
  answer: PlatformAnswer,
  { judge, signal }: { judge: SentimentJudge | null; signal: AbortSignal },
): Promise<Finding> {
  const kept = storableAnswer(answer);
  const brands = job.tracked_brands;
  // The text as it is kept: what a reader of the result sees is what was judged.
  const findings = extract({ answerText: kept.answerText, sources: kept.sources, brands });
  const judged = (await judge?.judge(kept.answerText ?? '', brands, signal)) ?? null;
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
    answer_text: kept.answerText,
    answer_truncated: kept.answerTruncated,
    model: kept.model,
    search_used: answer.searchUsed,
    localization: answer.localization,
    search_queries: kept.searchQueries,
    sources: kept.sources,
    sentiment_method: methodOf(findings, judged),
    brands: findings.flatMap((found, index) => {
      const brand = brands[index];
      if (brand === undefined) return [];
      return {
        brand_id: brand.id,
        name: brand.name,
        domain: brand.domain,
        is_own: brand.isOwn,
        mentioned: found.mentioned,
        mention_count: found.mentionCount,
        position: found.position,
        sentiment: judged?.get(index) ?? found.sentiment,
        cited: found.cited,
      };
    }),
  };
}

/** Null where nothing had a sentiment. */
function methodOf(findings: readonly BrandFinding[], judged: ReadonlyMap<number, number> | null) {
  if (findings.every(({ sentiment }) => sentiment === null)) return null;
  return judged === null ? 'lexicon' : 'llm';
}
