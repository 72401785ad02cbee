import type { Span } from './span.ts';

/** Converts the ends of spans from code units to code points, in one pass over the text. */
export function codePointsOf(text: string, spans: readonly Span[]): (index: number) => number {
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
