import { withoutAbsences } from '../absence/absences.ts';
import { readBrandList } from '../names/brand-list.ts';
import { matcherFor, type BrandMatches } from '../names/brand-matcher.ts';
import type { TrackedBrand } from '../names/tracked-brand.ts';
import { fold } from '../text/fold.ts';
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
  return { ...visible, ...detected, matches: withoutAbsences(text, folded, matches) };
}
