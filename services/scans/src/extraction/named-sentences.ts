import type { TrackedBrand } from './brand-matcher.ts';
import { findBrands } from './find-brands.ts';
import { splitSentences } from './statements.ts';

/** A brand, by its place in the list, and the sentences of the answer that name it. */
export type NamedSentences = { brand: number; sentences: string[] };

/** What a judge is given is bounded, whatever a platform has written. */
const maxSentences = 8;
const aroundTheName = 250;

/** The sentences that name a brand, as a reader sees them; brands that are not named are left out. */
export function namedSentences(answerText: string, brands: readonly TrackedBrand[]): NamedSentences[] {
  const { text, language, matches } = findBrands(answerText, brands);
  const found = matches.map((): string[] => []);
  for (const { segment, index } of splitSentences(text, language)) {
    for (const [brand, spans] of matches.entries()) {
      const name = spans.find(({ start }) => start >= index && start < index + segment.length);
      if (name === undefined || (found[brand]?.length ?? 0) >= maxSentences) continue;
      const from = Math.max(index, name.start - aroundTheName);
      const to = Math.min(index + segment.length, name.end + aroundTheName);
      found[brand]?.push(text.slice(from, to).trim());
    }
  }
  return found.flatMap((sentences, brand) => (sentences.length === 0 ? [] : { brand, sentences }));
}
