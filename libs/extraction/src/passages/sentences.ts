import type { Span } from '../text/span.ts';
import type { Mention } from './roles.ts';

const segmenters = new Map<string, Intl.Segmenter>();
/** A mark that may end a sentence before the end of the line. */
const innerEnd = /[.!?…。．！？।؟]["”»)\]]{0,3}[^\S\n]*[^\s"”»)\]]/u;
/** Abbreviations whose full stop does not end a sentence. */
const abbreviation =
  /(?:^|[\s(])(?:vs|inc|ltd|co|corp|dr|mr|mrs|ms|st|nr|approx|e\.g|i\.e|z\. ?b|bzw|ca|u\. ?a|d\. ?h|p\. ?ej|ej|bl\. ?a|bijv|m\.in|np|p\. ?ex)\.\s*$/iu;

/** The sentences of a line. The full stop or exclamation mark of a name ends none ("Dr. Martens", "Yahoo!"). */
export function splitSentences(
  text: string,
  line: Span,
  mentions: readonly Mention[],
  language: string,
): Span[] {
  const written = text.slice(line.start, line.end);
  if (!innerEnd.test(written)) return [{ start: line.start, end: line.end }];
  const sentences: Span[] = [];
  let next = 0;
  let start = line.start;
  let last: Mention | undefined;
  for (const { segment, index } of segmenterOf(language).segment(written)) {
    const end = line.start + index + segment.length;
    while ((mentions[next]?.start ?? end) < end) {
      last = mentions[next];
      next += 1;
    }
    if (
      end < line.end &&
      (abbreviation.test(segment.slice(-12)) || isInName(text, end, last, mentions[next]))
    )
      continue;
    sentences.push({ start, end });
    start = end;
  }
  if (start < line.end) sentences.push({ start, end: line.end });
  return sentences;
}

/** Whether a boundary is inside the last name, or behind a mark that belongs to it and no further name. */
function isInName(text: string, end: number, last: Mention | undefined, next: Mention | undefined): boolean {
  if (last === undefined || last.end > end) return last !== undefined;
  const endsWithMark =
    /[.!?]$/.test(text.slice(last.start, last.end)) && text.slice(last.end, end).trim() === '';
  return endsWithMark && next?.start !== end;
}

function segmenterOf(language: string): Intl.Segmenter {
  const known = segmenters.get(language);
  if (known !== undefined) return known;
  const segmenter = new Intl.Segmenter(language, { granularity: 'sentence' });
  segmenters.set(language, segmenter);
  return segmenter;
}
