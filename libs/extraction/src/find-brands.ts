import { matcherFor, type BrandMatches, type TrackedBrand } from './brand-matcher.ts';
import { fold } from './fold.ts';
import { detectLanguage } from './language.ts';
import { hostNames } from './link-labels.ts';
import { visibleText } from './visible-text.ts';

/** The visible text of an answer, its language, and the occurrences of each brand in it. */
export type FoundBrands = { text: string; language: string; matches: BrandMatches[] };

export function findBrands(answerText: string, brands: readonly TrackedBrand[]): FoundBrands {
  const text = visibleText(answerText, hostNames(brands.flatMap(({ name, aliases }) => [name, ...aliases])));
  const language = detectLanguage(text);
  return { text, language, matches: matcherFor(brands)(text, fold(text), language) };
}
