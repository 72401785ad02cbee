import type { Span } from './word-boundary.ts';

/** A brand's rules for its occurrences. */
export type MatchRules = {
  /** The name and the aliases count only as written ("Target", not "target"). */
  caseSensitive: boolean;
  /** Phrases in which an occurrence does not count ("target audience"). */
  exclude: readonly string[];
  /** A mention counts only if the LLM judge model confirms it. The matcher ignores this. */
  verify: boolean;
};

/** The occurrences that are in no excluded phrase. Both lists are ordered by `start`. */
export function withoutExcluded(occurrences: readonly Span[], phrases: readonly Span[]): Span[] {
  let next = 0;
  let end = 0;
  return occurrences.filter((occurrence) => {
    for (
      let phrase = phrases[next];
      phrase !== undefined && phrase.start <= occurrence.start;
      phrase = phrases[next]
    ) {
      end = Math.max(end, phrase.end);
      next += 1;
    }
    return occurrence.end > end;
  });
}
