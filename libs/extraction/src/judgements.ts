import type { BrandResult } from './extract.ts';
import type { TrackedBrand } from './names/tracked-brand.ts';

/** What the LLM judge says of a brand in an answer. */
export type Judgement = {
  /** 0 to 100, 50 neutral. */
  sentiment: number;
  /** Whether the text means this brand, and not another thing of that name. */
  meansBrand: boolean;
};

/** `meansBrand` is null if the words do not find the brand, or without a judgement. */
export type JudgedResult = BrandResult & { meansBrand: boolean | null };

export type JudgedResults = {
  brands: JudgedResult[];
  /** `words+llm` if the words found brands to verify, and each of them has a judgement. */
  mentionMethod: 'words' | 'words+llm';
  /** `llm` if the LLM judge rated every sentiment, `lexicon` if the lexicon rated any; null if there are none. */
  sentimentMethod: 'lexicon' | 'llm' | null;
};

/**
 * Combines what the words found with the judgements, which have the index of the brand as key. Null: there are none. A
 * brand to verify whose judgement denies it is not mentioned, and keeps its evidence. Positions are ranked among the
 * brands that count.
 */
export function applyJudgements(
  results: readonly BrandResult[],
  brands: readonly TrackedBrand[],
  judgements: ReadonlyMap<number, Judgement> | null,
): JudgedResults {
  const found = results.map((result, index) => ({
    result,
    isVerified: result.mentioned && brands[index]?.match?.verify === true,
    judgement: result.mentioned ? judgements?.get(index) : undefined,
  }));
  const judged = found.map(({ result, isVerified, judgement }): JudgedResult => {
    const meansBrand = judgement?.meansBrand ?? null;
    if (isVerified && meansBrand === false) return { ...result, ...denied, meansBrand };
    return { ...result, sentiment: judgement?.sentiment ?? result.sentiment, meansBrand };
  });
  const verified = found.filter(({ isVerified }) => isVerified);
  const isConfirmedByLlm = verified.length > 0 && verified.every(({ judgement }) => judgement !== undefined);
  return {
    brands: withoutGaps(judged),
    mentionMethod: isConfirmedByLlm ? 'words+llm' : 'words',
    sentimentMethod: toSentimentMethod(judged),
  };
}

const denied = { mentioned: false, mentionCount: 0, position: null, sentiment: null };

/** Ranks the positions again, from 1 and in the same order. */
function withoutGaps(results: readonly JudgedResult[]): JudgedResult[] {
  const taken = results.flatMap(({ position }) => position ?? []).toSorted((a, b) => a - b);
  const ranks = new Map(taken.map((position, index) => [position, index + 1]));
  return results.map((result) => ({ ...result, position: ranks.get(result.position ?? 0) ?? null }));
}

function toSentimentMethod(results: readonly JudgedResult[]): JudgedResults['sentimentMethod'] {
  const rated = results.filter(({ sentiment }) => sentiment !== null);
  if (rated.length === 0) return null;
  return rated.every(({ meansBrand }) => meansBrand !== null) ? 'llm' : 'lexicon';
}
