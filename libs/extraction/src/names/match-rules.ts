import type { Span } from '../text/span.ts';

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
