import {
  applyJudgements,
  type BrandResult,
  type JudgedResult,
  type Judgement,
  type TrackedBrand,
} from '@bv/extraction';

/** A tracked brand in an answer. */
export type BrandFinding = {
  brand_id: string;
  name: string;
  domain: string;
  is_own: boolean;
  mentioned: boolean;
  mention_count: number;
  position: number | null;
  sentiment: number | null;
  cited: boolean;
  /** Pairs of start and end. Null in imported rows. */
  evidence: number[] | null;
  means_brand: boolean | null;
};

export const mentionsCompetitor = (brands: readonly Pick<BrandFinding, 'is_own' | 'mentioned'>[]): boolean =>
  brands.some(({ is_own, mentioned }) => mentioned && !is_own);

type SentimentMethod = 'lexicon' | 'llm';

/** The findings in an answer. */
export type UnitFindings = {
  brands: BrandFinding[];
  sentiment_method: SentimentMethod | null;
  mention_method: 'words' | 'words+llm' | null;
};

/** An answered unit with its text. */
export type StoredUnit = UnitFindings & { answer_text: string; answer_truncated: boolean };

/** Judgements by the id of the brand. */
export type JudgementsById = ReadonlyMap<string, Judgement>;

/** A brand with what the words find now, and its stored row. */
type Pair = {
  brand: TrackedBrand;
  words: BrandResult;
  row: BrandFinding | undefined;
  /** Whether the words find the same occurrences as then, so that a stored judgement holds. */
  isSame: boolean;
};

function pair(unit: StoredUnit, tracked: readonly TrackedBrand[], found: readonly BrandResult[]): Pair[] {
  const rows = new Map(unit.brands.map((row) => [row.brand_id, row]));
  return tracked.flatMap((brand, index) => {
    const words = found[index];
    if (words === undefined) return [];
    const row = rows.get(brand.id);
    return { brand, words, row, isSame: row !== undefined && hasSameOccurrences(row, words) };
  });
}

function hasSameOccurrences({ evidence }: BrandFinding, words: BrandResult): boolean {
  const now = toOffsets(words);
  return (
    words.mentioned &&
    now.length === evidence?.length &&
    now.every((offset, index) => offset === evidence[index])
  );
}

const toOffsets = ({ evidence }: BrandResult): number[] => evidence.flatMap(({ start, end }) => [start, end]);

/** Ids of the brands to verify that the words find and that have no stored judgement. */
export function listUnjudged(
  unit: StoredUnit,
  tracked: readonly TrackedBrand[],
  found: readonly BrandResult[],
): string[] {
  return pair(unit, tracked, found)
    .filter(({ brand, words }) => words.mentioned && brand.match?.verify === true)
    .filter(({ row, isSame }) => !isSame || (row?.means_brand ?? null) === null)
    .map(({ brand }) => brand.id);
}

/**
 * Reads a stored answer again. `found` is the extraction of its text for the tracked brands; `judgements` are new ones.
 * - A stored judgement holds while the words find the same occurrences.
 * - A brand that the text of a truncated answer does not contain keeps its finding, ranked after the others, unless its
 *   evidence lies in the text.
 */
export function rereadUnit(
  unit: StoredUnit,
  tracked: readonly TrackedBrand[],
  found: readonly BrandResult[],
  judgements: JudgementsById,
): UnitFindings {
  const pairs = pair(unit, tracked, found);
  const applied = pairs.map((each) => judgements.get(each.brand.id) ?? toStoredJudgement(each));
  const judged = applyJudgements(
    found,
    tracked,
    new Map(applied.flatMap((judgement, index) => (judgement === undefined ? [] : [[index, judgement]]))),
  );
  const mentioned = judged.brands.filter((result) => result.mentioned).length;
  const kept = listKept(unit, pairs);
  const rated = pairs.map((each, index): RatedFinding => {
    const keptIndex = each.row === undefined ? -1 : kept.indexOf(each.row);
    if (keptIndex >= 0) return toKeptFinding(unit, each, mentioned + keptIndex + 1);
    const result = judged.brands[index] ?? { ...each.words, meansBrand: null };
    return toFinding(each.brand, result, applied[index] !== undefined);
  });
  return {
    brands: rated.map(({ finding }) => finding),
    sentiment_method: toSentimentMethod(rated),
    mention_method: judged.mentionMethod,
  };
}

/** `method`: what rated the sentiment, null if it is not known. */
type RatedFinding = { finding: BrandFinding; method: SentimentMethod | null };

const toIdentity = ({ id, name, domain, isOwn }: TrackedBrand) => ({
  brand_id: id,
  name,
  domain,
  is_own: isOwn,
});

function toKeptFinding(unit: StoredUnit, { brand, words, row }: Pair, position: number): RatedFinding {
  const { mention_count = 0, sentiment = null, evidence = null, means_brand = null } = row ?? {};
  const kept = { mentioned: true, mention_count, position, sentiment, evidence, means_brand };
  return {
    finding: { ...toIdentity(brand), ...kept, cited: words.cited },
    method: unit.sentiment_method,
  };
}

function toFinding(brand: TrackedBrand, result: JudgedResult, isJudged: boolean): RatedFinding {
  return {
    finding: {
      ...toIdentity(brand),
      mentioned: result.mentioned,
      mention_count: result.mentionCount,
      position: result.position,
      sentiment: result.sentiment,
      cited: result.cited,
      evidence: toOffsets(result),
      means_brand: result.meansBrand,
    },
    method: isJudged ? 'llm' : 'lexicon',
  };
}

/** A denied brand has no stored sentiment: its judgement is of use only where it is denied again. */
function toStoredJudgement({ brand, row, isSame }: Pair): Judgement | undefined {
  if (!isSame || row === undefined || row.means_brand === null) return undefined;
  if (row.sentiment !== null) return { sentiment: row.sentiment, meansBrand: row.means_brand };
  const isDenied = !row.means_brand && brand.match?.verify === true;
  return isDenied ? { sentiment: 50, meansBrand: false } : undefined;
}

/** Rows of a truncated answer whose occurrences its text cannot show, by position. */
function listKept({ answer_text, answer_truncated }: StoredUnit, pairs: readonly Pair[]): BrandFinding[] {
  if (!answer_truncated) return [];
  const length = Array.from(answer_text).length;
  return pairs
    .flatMap(({ words, row }) => (row?.mentioned === true && !words.mentioned ? row : []))
    .filter(
      ({ evidence }) =>
        evidence === null || evidence.length === 0 || evidence.some((offset) => offset > length),
    )
    .toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0));
}

/** `lexicon` if it rated any sentiment, `llm` if the LLM judge rated all. Null: none, or unknown for some. */
function toSentimentMethod(rated: readonly RatedFinding[]): SentimentMethod | null {
  const methods = rated.flatMap(({ finding, method }) => (finding.sentiment === null ? [] : [method]));
  if (methods.includes('lexicon')) return 'lexicon';
  return methods.length > 0 && !methods.includes(null) ? 'llm' : null;
}

/** Whether stored findings and new ones are the same rows. The order of the brands does not matter. */
export const hasSameFindings = (stored: UnitFindings, current: UnitFindings): boolean =>
  toText(stored) === toText(current);

function toText({ brands, sentiment_method, mention_method }: UnitFindings): string {
  const rows = brands
    .toSorted((a, b) => (a.brand_id < b.brand_id ? -1 : 1))
    .map(({ brand_id, name, domain, is_own, ...found }) => {
      const { mentioned, mention_count, position, sentiment, cited, means_brand } = found;
      // A missing list is an empty one.
      const evidence = found.evidence ?? [];
      const result = [mentioned, mention_count, position, sentiment, cited, evidence, means_brand];
      return [brand_id, name, domain, is_own, ...result];
    });
  // A missing method is `words`.
  return JSON.stringify([sentiment_method, mention_method ?? 'words', rows]);
}
