import { codePointsOf } from '../text/code-points.ts';
import type { Span } from '../text/span.ts';
import type { FoundBrands } from './find-brands.ts';

const maxEvidence = 3;

/** The first occurrences of each brand, at most three, in code points of the answer's text. */
export function readEvidence(answerText: string, { matches, toOriginal }: FoundBrands): Span[][] {
  const evidence = matches.map((spans) => withoutOverlaps(spans.slice(0, maxEvidence).map(toOriginal)));
  const toCodePoints = codePointsOf(answerText, evidence.flat());
  return evidence.map((spans) =>
    spans.map(({ start, end }) => ({ start: toCodePoints(start), end: toCodePoints(end) })),
  );
}

/** Two occurrences may come from one character ("㏇" shows "Co."): it is evidence once. */
function withoutOverlaps(spans: readonly Span[]): Span[] {
  return spans.filter(({ start }, index) => start >= (spans[index - 1]?.end ?? 0));
}
