import type { Range } from './passages-lines.ts';
import type { Mention } from './passages-roles.ts';

const segmenters = new Map<string, Intl.Segmenter>();
/** A mark that may end a sentence before the end of the line. */
const innerEnd = /[.!?…。．！？।؟]["”»)\]]{0,3}[^\S\n]*[^\s"”»)\]]/u;
/** Abbreviations whose full stop does not end a sentence. */
const abbreviation =
  /(?:^|[\s(])(?:vs|inc|ltd|co|corp|dr|mr|mrs|ms|st|nr|approx|e\.g|i\.e|z\. ?b|bzw|ca|u\. ?a|d\. ?h|p\. ?ej|ej|bl\. ?a|bijv|m\.in|np|p\. ?ex)\.\s*$/iu;

/** The sentences of a line. The full stop or exclamation mark of a name ends none ("Dr. Martens", "Yahoo!"). */
export function splitSentences(
  text: string,
  line: Range,
  mentions: readonly Mention[],
  language: string,
): Range[] {
  const written = text.slice(line.start, line.end);
  if (!innerEnd.test(written)) return [{ start: line.start, end: line.end }];
  const sentences: Range[] = [];
  let next = 0;
  let start = line.start;
  let last: Mention | undefined;
  for (const { segment, index } of segmenterOf(language).segment(written)) {
    const end = line.start + index + segment.length;
    while ((mentions[next]?.start ?? end) < end) {
      last = mentions[next];
      next += 1;
    }
    const isInName = last !== undefined && (last.end > end || endsWithName(text, last, end));
    const isNamedNext = last !== undefined && last.end <= end && mentions[next]?.start === end;
    if (end < line.end && ((isInName && !isNamedNext) || abbreviation.test(segment.slice(-12)))) continue;
    sentences.push({ start, end });
    start = end;
  }
  if (start < line.end) sentences.push({ start, end: line.end });
  return sentences;
}

/** Whether a sentence ends with a mark that belongs to the name before it. */
function endsWithName(text: string, mention: Mention, end: number): boolean {
  return /[.!?]$/.test(text.slice(mention.start, mention.end)) && text.slice(mention.end, end).trim() === '';
}

function segmenterOf(language: string): Intl.Segmenter {
  const known = segmenters.get(language);
  if (known !== undefined) return known;
  const segmenter = new Intl.Segmenter(language, { granularity: 'sentence' });
  segmenters.set(language, segmenter);
  return segmenter;
}
