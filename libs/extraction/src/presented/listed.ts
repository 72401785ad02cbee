import type { Span } from '../text/span.ts';
import type { NameWords } from './words.ts';

/** A list within a sentence. */
export type Listed = { parts: Span[]; isBracket: boolean };

const maxLists = 12;
const maxList = 320;
const maxParts = 16;
const maxPart = 60;
const colon = /[:：](?:\*{2,3}|__)?(?=\s|\P{ASCII})/gu;
const opening = /(?<!\])[(（]/gu;
const listEnd = /[.!?](?=\s|$)|[。！？;；]|\n|\s[–—]\s/u;
const bracketEnd = /[)）\n]/u;
/** Without one of these, a text has no name but small words. */
const capital = /[\p{Lu}\p{Lo}\p{N}.]/u;
/** A name does not start with a small letter alone: "email" is none, "eBay" is one. */
const smallWord = /^[\s*_"'“„]*\p{Ll}[\p{Ll}-]*(?:\s|$)/u;
/** "Zoho are good": "Zoho". */
const predicate = /\s(?!(?:of|de|du|des|la|le|and|the|und|et|y|e|di|da|van|von)\s)\p{Ll}{2,}/u;

/** The lists of "…: A, B and C", "such as A, B and C" and "(A, B)". A list of one is a value: "Best overall: A". */
export function readListed(line: { text: string; start: number }, from: number, words: NameWords): Listed[] {
  return readStarts(line.text, from, words.introduces).flatMap(({ at, isBracket, isIntroduced }) => {
    const rest = line.text.slice(at, at + maxList);
    const stop = rest.search(isBracket ? bracketEnd : listEnd);
    if (stop === -1 && rest.length === maxList) return [];
    const written = stop === -1 ? rest : rest.slice(0, stop);
    if (!capital.test(written)) return [];
    const split = splitParts(written, words);
    const isSentence = (split.at(-1)?.end ?? 0) < written.length;
    if (split.length < (isIntroduced ? 1 : isBracket ? 2 : isSentence ? 3 : 1)) return [];
    const parts = split
      .filter(({ start, end }) => isPart(written.slice(start, end)))
      .map(({ start, end }) => ({ start: line.start + at + start, end: line.start + at + end }));
    return [{ parts, isBracket }];
  });
}

function isPart(written: string): boolean {
  return written !== '' && written.length <= maxPart && !smallWord.test(written);
}

/** `isIntroduced`: words say that names follow. */
type ListStart = { at: number; isBracket: boolean; isIntroduced: boolean };

function readStarts(line: string, from: number, introduces: RegExp | null): ListStart[] {
  const starts: ListStart[] = [];
  for (const pattern of introduces === null ? [colon, opening] : [colon, opening, introduces]) {
    pattern.lastIndex = from;
    for (let mark = pattern.exec(line); mark !== null && starts.length < maxLists; mark = pattern.exec(line))
      starts.push({
        at: pattern.lastIndex,
        isBracket: pattern === opening,
        isIntroduced: pattern === introduces,
      });
  }
  return starts;
}

function withoutBracket(part: string): string {
  const at = part.search(/\s?[(（[]/u);
  return at > 0 ? part.slice(0, at) : part;
}

function splitParts(written: string, { separators, leadingJoiner }: NameWords): Span[] {
  const parts: Span[] = [];
  let from = 0;
  while (parts.length < maxParts) {
    const rest = written.slice(from);
    const found = separators.exec(rest);
    const part = rest.slice(0, found?.index ?? rest.length);
    const joiner = leadingJoiner?.exec(part)?.[0].length ?? 0;
    const cut = found === null ? withoutBracket(part.slice(joiner)).search(predicate) : -1;
    parts.push({ start: from + joiner, end: from + (cut > 0 ? joiner + cut : part.length) });
    if (found === null) break;
    from += found.index + found[0].length;
  }
  return parts;
}
