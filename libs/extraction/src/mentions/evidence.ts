import type { Span } from '../text/span.ts';
import type { FoundBrands } from './find-brands.ts';

const maxEvidence = 3;

/** The first occurrences of each brand, at most three, in code points of the answer's text. */
export function readEvidence(answerText: string, { matches, toOriginal }: FoundBrands): Span[][] {
  const evidence = matches.map((spans) => withoutOverlaps(spans.slice(0, maxEvidence).map(toOriginal)));
  const toCodePoints = countCodePoints(answerText, evidence.flat());
  return evidence.map((spans) =>
    spans.map(({ start, end }) => ({ start: toCodePoints(start), end: toCodePoints(end) })),
  );
}

/** Two occurrences may come from one character ("㏇" shows "Co."): it is evidence once. */
function withoutOverlaps(spans: readonly Span[]): Span[] {
  return spans.filter(({ start }, index) => start >= (spans[index - 1]?.end ?? 0));
}

/** Converts the ends of the spans from code units, in one pass over the text. */
function countCodePoints(text: string, spans: readonly Span[]): (index: number) => number {
  if (!/[\uD800-\uDFFF]/.test(text)) return (index) => index;
  const counted = new Map<number, number>();
  let at = 0;
  let codePoints = 0;
  for (const index of spans.flatMap(({ start, end }) => [start, end]).toSorted((a, b) => a - b)) {
    for (; at < index; at += (text.codePointAt(at) ?? 0) > 0xff_ff ? 2 : 1) codePoints += 1;
    counted.set(index, codePoints);
  }
  return (index) => counted.get(index) ?? 0;
}
