import { withoutAbsences } from '../absence/absences.ts';
import { readBrandList } from '../names/brand-list.ts';
import { matcherFor, type BrandMatches } from '../names/brand-matcher.ts';
import type { TrackedBrand } from '../names/tracked-brand.ts';
import { fold } from '../text/fold.ts';
import type { Span } from '../text/span.ts';
import { visibleText, type VisibleText } from '../text/visible-text.ts';
import { type DetectedLanguage, readLanguage } from '../tone/language.ts';

/** The visible text of an answer, the marks of its lines, its language, and the occurrences of each brand in it. */
export type FoundBrands = VisibleText & DetectedLanguage & { matches: BrandMatches[] };

export function findBrands(answerText: string, brands: readonly TrackedBrand[]): FoundBrands {
  const visible = visibleText(answerText, readBrandList(brands).hosts);
  const { text } = visible;
  const detected = readLanguage(text);
  const { language } = detected;
  const folded = fold(text);
  const matches = matcherFor(brands, language)(text, folded, language);
  return { ...visible, ...detected, matches: withoutInner(withoutAbsences(text, folded, matches)) };
}

/** Removes the occurrences inside a longer one of another brand: "Acme Cloud" is no mention of Acme. */
function withoutInner(matches: BrandMatches[]): BrandMatches[] {
  const inner = new Set<Span>();
  let outer: Span = { start: 0, end: 0 };
  for (const span of matches.flat().toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (span.end > outer.end) outer = span;
    else if (span.start > outer.start || span.end < outer.end) inner.add(span);
  }
  return inner.size === 0 ? matches : matches.map((spans) => spans.filter((span) => !inner.has(span)));
}
