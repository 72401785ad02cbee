import { eld } from 'eld/extrasmall';
import { matcherFor, type BrandMatches, type TrackedBrand } from './brand-matcher.ts';
import { fold } from './fold.ts';
import { hostNames } from './link-labels.ts';
import { splitSentences } from './statements.ts';
import { visibleText, type VisibleText } from './visible-text.ts';

const sampleLength = 4000;

/** The visible text of an answer, the marks of its lines, its language, and the occurrences of each brand in it. */
export type FoundBrands = VisibleText & { language: string; matches: BrandMatches[] };

export function findBrands(answerText: string, brands: readonly TrackedBrand[]): FoundBrands {
  const names = hostNames(brands.flatMap(({ name, aliases }) => [name, ...aliases]));
  const { text, marks } = visibleText(answerText, names);
  const language = detectLanguage(text);
  return { text, marks, language, matches: matcherFor(brands)(text, fold(text), language) };
}

/** ISO 639-1 code of the text's language; `en` if it cannot be detected. */
export function detectLanguage(text: string): string {
  return eld.detect(text.slice(0, sampleLength)).language || 'en';
}

/** A brand, by its index in the list, and the sentences of the answer that name it. */
export type NamedSentences = { brand: number; sentences: string[] };

/** Limits the input of the LLM judge for each brand. */
const maxSentences = 8;
const maxContextLength = 250;

/** The visible sentences that name each brand, cut around its name. Brands that are not named are omitted. */
export function namedSentences(answerText: string, brands: readonly TrackedBrand[]): NamedSentences[] {
  const { text, language, matches } = findBrands(answerText, brands);
  const found = matches.map((): string[] => []);
  for (const { segment, index } of splitSentences(text, language)) {
    for (const [brand, spans] of matches.entries()) {
      const name = spans.find(({ start }) => start >= index && start < index + segment.length);
      if (name === undefined || (found[brand]?.length ?? 0) >= maxSentences) continue;
      const from = Math.max(index, name.start - maxContextLength);
      const to = Math.min(index + segment.length, name.end + maxContextLength);
      found[brand]?.push(text.slice(from, to).trim());
    }
  }
  return found.flatMap((sentences, brand) => (sentences.length === 0 ? [] : { brand, sentences }));
}
