import type { Folded } from '../text/fold.ts';
import type { Span } from '../text/span.ts';
import { readBrandList } from './brand-list.ts';
import { brandPatterns } from './brand-patterns.ts';
import { readStemEnd } from './case-endings.ts';
import { isWritten } from './casing.ts';
import { declinedLanguages } from './declensions.ts';
import { withoutExcluded } from './match-rules.ts';
import { searchFor } from './pattern-search.ts';
import { productNames } from './product-names.ts';
import type { Pattern, TrackedBrand } from './tracked-brand.ts';
import { isCountryDomain, isWholeWord } from './word-boundary.ts';

/** Occurrences of a brand in the text, in order and without overlaps. */
export type BrandMatches = Span[];

export type BrandMatcher = (text: string, folded: Folded, language: string) => BrandMatches[];

type Compiled = { matcher: BrandMatcher; characters: number };

/** LRU cache of matchers by brands and language, the least recently used first: compiling costs more than matching. */
const cache = new Map<string, Compiled>();
const maxCachedCharacters = 6_000_000;
/** What a pattern costs in addition to its characters. */
const patternCharacters = 16;
let cachedCharacters = 0;

/**
 * Returns one automaton for all names of all brands in an answer of a language. It is cached, because all units of a job
 * have the same list.
 */
export function matcherFor(brands: readonly TrackedBrand[], language: string): BrandMatcher {
  const list = readBrandList(brands);
  // In other languages these names have no forms of their own.
  const namesLanguage = declinedLanguages.has(language) || list.hasAmpersand ? language : '';
  const key = `${namesLanguage} ${list.key}`;
  const cached = cache.get(key);
  const compiled = cached ?? compile(brands, { namesLanguage, characters: list.characters });
  cache.delete(key);
  cache.set(key, compiled);
  if (cached === undefined) cachedCharacters += compiled.characters;
  for (const [oldest, { characters }] of cache) {
    if (cachedCharacters <= maxCachedCharacters || oldest === key) break;
    cache.delete(oldest);
    cachedCharacters -= characters;
  }
  return compiled.matcher;
}

function compile(
  brands: readonly TrackedBrand[],
  { namesLanguage, characters }: { namesLanguage: string; characters: number },
): Compiled {
  const products = productNames(brands);
  const patterns = brands.flatMap((brand, index) =>
    brandPatterns(brand, index, namesLanguage, products[index]),
  );
  const { true: phrases = [], false: names = [] } = Object.groupBy(patterns, ({ kind }) =>
    String(kind === 'excluded'),
  );
  const searchNames = searchFor(names);
  const searchPhrases = phrases.length === 0 ? () => [] : searchFor(phrases);
  const matcher: BrandMatcher = (text, folded, language) => {
    const found: BrandMatches[] = brands.map(() => []);
    const excluded: BrandMatches[] = brands.map(() => []);
    const hits = [...searchNames(folded.text), ...searchPhrases(joinLines(text, folded))];
    for (const { start, end, value: pattern } of hits) {
      // One letter may fold to two: a match of "Esop" must not start inside the first letter of "Æsop".
      if (folded.offsets[start] === folded.offsets[start - 1]) continue;
      const span = toOccurrence(text, originalSpan(folded, start, end), pattern, language);
      if (span === null) continue;
      const spans = pattern.kind === 'excluded' ? excluded : found;
      spans[pattern.brandIndex]?.push(span);
    }
    return found.map((spans, index) =>
      withoutOverlaps(withoutExcluded(spans.toSorted(byStart), (excluded[index] ?? []).toSorted(byStart))),
    );
  };
  const size = patterns.reduce((sum, { text }) => sum + text.length + patternCharacters, characters);
  return { matcher, characters: size };
}

/** The folded text with a space for each line break inside a paragraph. */
function joinLines(text: string, { text: folded, offsets }: Folded): string {
  return folded.replaceAll('\n', (written, at: number) =>
    text.slice(offsets[at], offsets[at + 1]).split('\n').length === 2 ? ' ' : written,
  );
}

/** The occurrence of a pattern, with the ending of a stem. Null if it is a part of another word or in other letters. */
function toOccurrence(text: string, match: Span, pattern: Pattern, language: string): Span | null {
  const length = pattern.stem === null ? 0 : readStemEnd(text, match.end, pattern.stem);
  if (length === null) return null;
  const span = { start: match.start, end: match.end + length };
  if (!isWholeWord(text, span, pattern, language)) return null;
  return isWritten(text, match, pattern) || isCountryDomain(text, span, pattern) ? span : null;
}

function originalSpan(folded: Folded, start: number, end: number): Span {
  return { start: folded.offsets[start] ?? 0, end: folded.offsets[end] ?? 0 };
}

/** The longest occurrence first where two start at one place. */
function byStart(a: Span, b: Span): number {
  return a.start - b.start || b.end - a.end;
}

function withoutOverlaps(ordered: readonly Span[]): Span[] {
  const kept: Span[] = [];
  for (const span of ordered) {
    if (span.start >= (kept.at(-1)?.end ?? 0)) kept.push(span);
  }
  return kept;
}
