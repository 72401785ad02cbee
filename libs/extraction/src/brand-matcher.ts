import { domainToUnicode } from 'node:url';
import AhoCorasick, { type PatternInput } from 'modern-ahocorasick';
import { parse } from 'tldts';
import { fold, type Folded } from './fold.ts';
import type { MatchRules } from './match-rules.ts';
import { raisedMark } from './compatible-text.ts';
import { lettersIn, visibleName } from './visible-text.ts';
import { isWholeWord, type Pattern, type Span } from './word-boundary.ts';

/** A brand to search for. The matcher ignores `isOwn`; it is part of the result. */
export type TrackedBrand = {
  id: string;
  name: string;
  domain: string;
  aliases: readonly string[];
  isOwn: boolean;
  /** Without rules, every occurrence counts, in upper and lower case. */
  match?: MatchRules;
};

/** Occurrences of a brand in the text, in order and without overlaps. */
export type BrandMatches = Span[];

export type BrandMatcher = (text: string, folded: Folded, language: string) => BrandMatches[];

/** LRU cache of matchers by their brands, the least recently used first: compiling costs more than matching. */
const compiled = new Map<string, BrandMatcher>();
const maxCompiled = 200;

/** Returns one automaton for all names of all brands. It is cached, because all units of a job have the same list. */
export function matcherFor(brands: readonly TrackedBrand[]): BrandMatcher {
  const key = JSON.stringify(brands.map(({ name, domain, aliases }) => [name, domain, aliases]));
  const matcher = compiled.get(key) ?? compile(brands);
  compiled.delete(key);
  compiled.set(key, matcher);
  if (compiled.size > maxCompiled) compiled.delete(compiled.keys().next().value ?? '');
  return matcher;
}

function compile(brands: readonly TrackedBrand[]): BrandMatcher {
  const automaton = new AhoCorasick<Pattern>(brands.flatMap(toPatterns));
  return (text, folded, language) => {
    const found: BrandMatches[] = brands.map(() => []);
    for (const match of automaton.search(folded.text)) {
      const pattern = match.data;
      // One letter may fold to two: a match of "Esop" must not start inside the first letter of "Æsop".
      if (folded.offsets[match.start] === folded.offsets[match.start - 1]) continue;
      const span = originalSpan(folded, match.start, match.end);
      if (pattern && isWholeWord(text, span, pattern, language)) found[pattern.brandIndex]?.push(span);
    }
    return found.map(withoutOverlaps);
  };
}

function toPatterns(brand: TrackedBrand, brandIndex: number): PatternInput<Pattern>[] {
  const domainLabel = parse(brand.domain).domainWithoutSuffix ?? null;
  const patterns = new Map<string, Pattern>();
  const add = (text: string, kind: Pattern['kind']): void => {
    const folded = fold(text.trim()).text;
    const size = lettersIn(folded);
    const capitals = !/\p{Ll}/u.test(text) || patterns.get(folded)?.capitals === true;
    const raised = raisedMark.test(text) || patterns.get(folded)?.raised === true;
    if (size > 0) patterns.set(folded, { brandIndex, kind, size, capitals, raised, domainLabel });
  };
  for (const name of [brand.name, ...brand.aliases].map(visibleName)) {
    const kind = isDomain(name) ? 'domain' : 'name';
    add(name, kind);
    // A name is the same without its apostrophe ("McDonalds") or exclamation mark ("Yahoo"). The reverse is not
    // true: "she'll" would match Shell.
    add(name.replace(/['’`]/g, ''), kind);
    add(name.replace(/(?<![!?.])[!?.]+$/, ''), kind);
    // "H & M" is H&M, and vice versa.
    const joined = name.replace(/\s?&\s?/g, '&');
    add(joined, kind);
    add(joined.replaceAll('&', ' & '), kind);
  }
  add(brand.domain, 'domain');
  add(domainToUnicode(brand.domain), 'domain');
  return [...patterns].map(([pattern, data]) => ({ pattern, data }));
}

function isDomain(name: string): boolean {
  const parsed = parse(name);
  return parsed.isIcann === true && parsed.hostname === name.toLowerCase() && parsed.domain !== null;
}

function originalSpan(folded: Folded, start: number, end: number): Span {
  return { start: folded.offsets[start] ?? 0, end: folded.offsets[end] ?? 0 };
}

function withoutOverlaps(spans: Span[]): Span[] {
  const ordered = spans.toSorted((a, b) => a.start - b.start || b.end - a.end);
  const kept: Span[] = [];
  for (const span of ordered) {
    if (span.start >= (kept.at(-1)?.end ?? 0)) kept.push(span);
  }
  return kept;
}
