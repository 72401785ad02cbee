import type { Span } from '../text/span.ts';
import type { NameWords } from './words.ts';

/** A part of a list within a sentence, and where the list starts in its line. */
export type Listed = Span & { list: number };

const maxLists = 12;
const maxList = 320;
const maxParts = 16;
const maxPart = 60;
const colon = /[:：](?:\*{2,3}|__)?(?=\s|\P{ASCII})/gu;
const listEnd = /[.!?](?=\s|$)|[。！？;；]|\n|\s[–—]\s|[)）](?=[\s.,]|$)/u;
/** A name does not start with a small letter alone: "email" is none, "eBay" is one. */
const smallWord = /^[\s*_"'“„]*\p{Ll}[\p{Ll}-]*(?:\s|$)/u;
/** "Zoho are good": "Zoho". */
const predicate = /\s(?!(?:of|de|du|des|la|le|and|the|und|et|y|e|di|da|van|von)\s)\p{Ll}{2,}/u;

/** The parts of "…: A, B and C" and "such as A, B and C". A part of one is a value: "Best overall: A". */
export function readListed(line: { text: string; start: number }, from: number, words: NameWords): Listed[] {
  const parts: Listed[] = [];
  for (const list of readStarts(line.text, from, words.introduces)) {
    const rest = line.text.slice(list, list + maxList);
    const stop = rest.search(listEnd);
    if (stop === -1 && rest.length === maxList) continue;
    const written = stop === -1 ? rest : rest.slice(0, stop);
    for (const { start, end } of splitParts(written, words)) {
      if (end - start > maxPart || end <= start || smallWord.test(written.slice(start, end))) continue;
      parts.push({ start: line.start + list + start, end: line.start + list + end, list });
    }
  }
  return parts;
}

function readStarts(line: string, from: number, introduces: RegExp | null): number[] {
  const starts: number[] = [];
  for (const pattern of introduces === null ? [colon] : [colon, introduces]) {
    pattern.lastIndex = from;
    for (let mark = pattern.exec(line); mark !== null && starts.length < maxLists; mark = pattern.exec(line))
      starts.push(pattern.lastIndex);
  }
  return starts;
}

function splitParts(written: string, { separators, leadingJoiner }: NameWords): Span[] {
  const parts: Span[] = [];
  let from = 0;
  while (parts.length < maxParts) {
    const rest = written.slice(from);
    const found = separators.exec(rest);
    const part = rest.slice(0, found?.index ?? rest.length);
    const joiner = leadingJoiner?.exec(part)?.[0].length ?? 0;
    const cut = found === null ? part.slice(joiner).search(predicate) : -1;
    parts.push({ start: from + joiner, end: from + (cut > 0 ? joiner + cut : part.length) });
    if (found === null) break;
    from += found.index + found[0].length;
  }
  return parts;
}
