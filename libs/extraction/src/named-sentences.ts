import type { TrackedBrand } from './brand-matcher.ts';
import { findBrands } from './find-brands.ts';
import { splitSentences } from './statements.ts';

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
