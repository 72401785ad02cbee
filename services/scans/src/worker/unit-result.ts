import { currentMethodVersion } from '@bv/contract';
import { applyJudgements, type JudgedResult, rankNames, readAnswer, type TrackedBrand } from '@bv/extraction';
import type { UnitResult } from '../commands/persist-outcome.ts';
import { toStorableAnswer } from './storable-answer.ts';
import type { PlatformAnswer } from '../platforms/platform.ts';
import type { ScanMetrics } from '../telemetry.ts';
import type { Work } from './lease-work.ts';
import type { SentimentJudge } from './sentiment-judge.ts';

type Options = {
  brands: readonly TrackedBrand[];
  judge: Pick<SentimentJudge, 'rate'> | null;
  metrics: ScanMetrics;
  signal: AbortSignal;
};

/** Builds the event data of an answered unit. Words and the lexicon decide what the LLM judge does not. */
export async function buildUnitResult(
  { unit, job }: Work,
  answer: PlatformAnswer,
  { brands, judge, metrics, signal }: Options,
): Promise<UnitResult> {
  const storable = toStorableAnswer(answer);
  // The truncated text, so that the result is derived from the text that readers see.
  const { answerText, sources } = storable;
  const { brands: found, others } = readAnswer({ answerText, sources, brands });
  const judgements = (await judge?.rate(storable.answerText ?? '', brands, { signal })) ?? null;
  const judged = applyJudgements(found, brands, judgements);
  for (const [index, result] of judged.brands.entries()) {
    const isVerified = found[index]?.mentioned === true && brands[index]?.match?.verify === true;
    countResult(metrics, result, isVerified);
  }
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
    others: rankNames(
      others,
      judged.brands.flatMap(({ mentioned, evidence: [first] }) => (mentioned && first ? first.start : [])),
    ),
    sources: storable.sources,
    sources_unresolved: answer.sourcesUnresolved,
    sentiment_method: judged.sentimentMethod,
    mention_method: judged.mentionMethod,
    method_version: currentMethodVersion,
    brands: judged.brands.flatMap((result, index) => {
      const brand = brands[index];
      return brand === undefined ? [] : [toBrandData(brand, result)];
    }),
  };
}

function toBrandData({ id, name, domain, isOwn }: TrackedBrand, result: JudgedResult) {
  return {
    brand_id: id,
    name,
    domain,
    is_own: isOwn,
    mentioned: result.mentioned,
    mention_count: result.mentionCount,
    position: result.position,
    sentiment: result.sentiment,
    cited: result.cited,
    evidence: result.evidence,
    means_brand: result.meansBrand,
  };
}

function countResult(
  metrics: ScanMetrics,
  { sentiment, meansBrand }: JudgedResult,
  isVerified: boolean,
): void {
  if (sentiment !== null) metrics.sentimentBy(meansBrand === null ? 'lexicon' : 'llm');
  if (!isVerified) return;
  if (meansBrand === null) metrics.mentionVerified('words');
  else metrics.mentionVerified(meansBrand ? 'confirmed' : 'denied');
}
