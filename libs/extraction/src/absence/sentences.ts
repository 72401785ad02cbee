import type { Span } from '../text/span.ts';
import { nameMark } from './masked-text.ts';

/** The places of names in the folded text. `offsets` maps its indices to the original. */
export function toFolded(names: readonly Span[], offsets: readonly number[]): Span[] {
  return names.map(({ start, end }) => ({
    start: firstIndex(offsets.length, (index) => (offsets[index] ?? 0) >= start),
    end: firstIndex(offsets.length, (index) => (offsets[index] ?? 0) >= end),
  }));
}

/** The sentence at a place. No punctuation of a name ends a sentence. */
export function sentenceAround(text: string, at: number, names: readonly Span[]): Span {
  let start = at;
  while (start > 0 && !startsSentence(text, start, names)) start -= 1;
  let end = at + 1;
  while (end < text.length && !startsSentence(text, end, names)) end += 1;
  return { start, end };
}

function startsSentence(text: string, at: number, names: readonly Span[]): boolean {
  const last = text.charAt(at - 1);
  if (last === '\n') return true;
  if (last === ' ') return '.!?…।'.includes(text.charAt(at - 2)) && !isInName(at - 2, names);
  return '。！？;'.includes(last) && !isInName(at - 1, names);
}

function isInName(at: number, names: readonly Span[]): boolean {
  return (names[firstFrom(at, names)]?.start ?? Infinity) <= at;
}

/** The index of the first name that ends behind a place. */
function firstFrom(at: number, names: readonly Span[]): number {
  return firstIndex(names.length, (index) => (names[index]?.end ?? 0) > at);
}

/** The first index for which a condition holds that then holds for all further ones. */
function firstIndex(length: number, isMet: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isMet(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** A sentence with marks in place of its names, where the marks are, and the index of its first name. */
export function maskNames(
  text: string,
  { start, end }: Span,
  names: readonly Span[],
): { text: string; marks: number[]; first: number } {
  const first = firstFrom(start, names);
  const marks: number[] = [];
  let masked = '';
  let from = start;
  for (let name = names[first]; name !== undefined && name.start < end; name = names[first + marks.length]) {
    masked += text.slice(from, name.start).replaceAll(nameMark, ' ');
    marks.push(masked.length);
    masked += nameMark;
    from = name.end;
  }
  return { text: masked + text.slice(from, end).replaceAll(nameMark, ' '), marks, first };
}
