import { sourceDomain } from '@bv/source-url';
import { readEvidence } from './mentions/evidence.ts';
import { findBrands, type FoundBrands } from './mentions/find-brands.ts';
import type { BrandMatches } from './names/brand-matcher.ts';
import type { TrackedBrand } from './names/tracked-brand.ts';
import { findPresentedNames, type PresentedName } from './presented/presented-names.ts';
import { rateSentiments } from './sentiment.ts';
import type { Span } from './text/span.ts';

export type ExtractionInput = {
  answerText: string | null;
  sources: readonly { domain: string; cited: boolean }[];
  brands: readonly TrackedBrand[];
};

export type BrandResult = {
  brandId: string;
  mentioned: boolean;
  mentionCount: number;
  /** 1-based rank by first occurrence among the tracked brands, null when not mentioned. */
  position: number | null;
  /** 0 to 100, 50 neutral, of the passages about the brand; null when not mentioned. */
  sentiment: number | null;
  cited: boolean;
  /** The first occurrences, at most three, as offsets in code points of the answer's text. `end` is exclusive. */
  evidence: Span[];
};

/** The result of each tracked brand in an answer, in the order of `brands`. */
export function extract(input: ExtractionInput): BrandResult[] {
  return toResults(input, findBrands(input.answerText ?? '', input.brands));
}

/** The results of the tracked brands, and the other names that the answer presents. */
export function readAnswer(input: ExtractionInput): { brands: BrandResult[]; others: PresentedName[] } {
  const { sources, brands } = input;
  const text = input.answerText ?? '';
  const found = findBrands(text, brands);
  const tracked = found.matches.flat().map(found.toOriginal);
  const { cited, language } = found;
  const others = findPresentedNames({ text, cited, language, sources, brands, tracked });
  return { brands: toResults(input, found), others };
}

function toResults({ answerText, sources, brands }: ExtractionInput, found: FoundBrands): BrandResult[] {
  const citedDomains = new Set(sources.filter((source) => source.cited).map((source) => source.domain));
  const text = answerText ?? '';
  const { matches } = found;
  const positions = rankByFirstOccurrence(matches);
  const sentiments = rateSentiments(found);
  const evidence = readEvidence(text, found);
  return brands.map((brand, index) => ({
    brandId: brand.id,
    mentioned: positions[index] !== null,
    mentionCount: matches[index]?.length ?? 0,
    position: positions[index] ?? null,
    sentiment: sentiments[index] ?? null,
    cited: citedDomains.has(sourceDomain(brand.domain)),
    evidence: evidence[index] ?? [],
  }));
}

function rankByFirstOccurrence(matches: readonly BrandMatches[]): (number | null)[] {
  const firsts = matches
    .map((spans, brand) => ({ brand, first: spans[0] }))
    .filter((entry) => entry.first !== undefined)
    .toSorted((a, b) => (a.first?.start ?? 0) - (b.first?.start ?? 0));
  const positions: (number | null)[] = matches.map(() => null);
  for (const [rank, { brand }] of firsts.entries()) positions[brand] = rank + 1;
  return positions;
}
