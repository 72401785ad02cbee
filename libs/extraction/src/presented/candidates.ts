import type { Span } from '../text/span.ts';
import { readListed } from './listed.ts';
import { type Link, readLinks } from './line-links.ts';
import { isHeaderRow, readNameCells } from './name-cells.ts';
import type { NameWords } from './words.ts';

/** Where a name may stand. Members of a group are alike: all are names, or none is. */
export type Candidate = Span & {
  kind: 'item' | 'plain item' | 'heading' | 'cell' | 'column' | 'bold' | 'link' | 'listed';
  group: string;
  links: readonly Link[];
};

/** The part of a line that is read. */
const maxLine = 4_000;
const maxHead = 120;
/** An item without a separator or bold letters is its head if it is as short as a name. */
const maxPlain = 80;
/** A hostile text must not take long. */
const maxCandidates = 2_000;
const bullets = '-*+•◦▪▸‣●○·–—►▶➤→✅✔✓☑❌✗⭐';
const prefix = new RegExp(
  [
    String.raw`^(?<indent>[\s>]{0,40})(?<hashes>#{1,6}\s+)?(?<bullet>[${bullets}]️?\s+)?`,
    String.raw`(?<number>(?:\d{1,3}[.)．、](?=[\s*[]|\P{ASCII})|[①-⑳]|\d️?⃣)\s*)?`,
  ].join(''),
  'u',
);
const fence = /^\s{0,3}(?:\x60{3}|~{3})/;
const boldLine = /^(\*\*\*?|__)(?![\s*_])[^*\n]{1,200}\1[:：]?\s*$/u;
const openingMarks = /^[\s*_[\]~\x60"'“”„«»「『]{1,40}/u;
/** What ends the head of a line. */
const separator =
  /\s*[:：](?=[\s*_]|$|\P{ASCII})|\s+[–—―=→|-]{1,3}\s+|\s*[—―(（【]|\s+\[|[,;，。；、]|[.!?](?=\s)/u;

/** Where an answer may present a name, in the order of the text. */
export function readCandidates(text: string, words: NameWords): Candidate[] {
  const reader = new CandidateReader(words);
  let start = 0;
  for (let number = 0; start <= text.length && reader.found.length < maxCandidates; number += 1) {
    const next = text.indexOf('\n', start);
    const end = next === -1 ? text.length : next;
    const line = { text: text.slice(start, Math.min(end, start + maxLine)), start, number };
    if (line.text.trim() !== '') reader.read(line, text.slice(end + 1, end + 200));
    start = end + 1;
  }
  return reader.found;
}

type Line = { text: string; start: number; number: number };

/** The length of the marks at the start of a line, and what they make of it. Bold headings have the level 0. */
function readMarks(line: string): { marks: number; indent: number; level: number | null; isItem: boolean } {
  const { 0: marks = '', groups = {} } = prefix.exec(line) ?? {};
  const { indent = '', hashes, bullet, number } = groups;
  const isBold = hashes === undefined && bullet === undefined && boldLine.test(line.trim());
  return {
    marks: marks.length,
    indent: indent.replaceAll('\t', '    ').length,
    level: isBold ? 0 : (hashes?.length ?? null),
    isItem: bullet !== undefined || number !== undefined,
  };
}

class CandidateReader {
  readonly found: Candidate[] = [];
  readonly #words: NameWords;
  #isCode = false;
  #links: readonly Link[] = [];
  /** The number of the line of the last heading. */
  #heading = 0;
  /** The open items, the outermost first. */
  #items: { indent: number; number: number }[] = [];
  /** The number of the line of the header of the open table. */
  #table: number | null = null;

  constructor(words: NameWords) {
    this.#words = words;
  }

  read(line: Line, following: string): void {
    if (fence.test(line.text)) this.#isCode = !this.#isCode;
    if (this.#isCode) return;
    this.#links = readLinks(line.text, line.start);
    if (this.#readRow(line, following)) return;
    const { marks, indent, level, isItem } = readMarks(line.text);
    const isHeading = level !== null;
    const group = isHeading ? this.#openSection(line, level) : this.#openGroup(line, indent, isItem);
    const end = isHeading || isItem ? this.#readHead(line, marks, { group, isHeading }) : marks;
    this.#readBold(line, end, group);
    for (const { label, isLabel } of this.#links) if (isLabel) this.#add('link', label, 'links');
    for (const { list, ...span } of readListed(line, marks, this.#words))
      this.#add('listed', span, `listed ${line.number} ${list}`);
  }

  #add(kind: Candidate['kind'], { start, end }: Span, group: string): void {
    this.found.push({ kind, start, end, group, links: this.#links });
  }

  #openSection({ number }: Line, level: number): string {
    this.#heading = number;
    this.#items = [];
    return `heading ${level}`;
  }

  /** The group of an item or a line of text: siblings have the same parent and depth. */
  #openGroup({ number }: Line, indent: number, isItem: boolean): string {
    if (!isItem) return `text ${this.#heading}`;
    while ((this.#items.at(-1)?.indent ?? -1) >= indent) this.#items.pop();
    const parent = this.#items.at(-1)?.number ?? this.#heading;
    this.#items.push({ indent, number });
    return `item ${this.#items.length} ${parent}`;
  }

  /** Reads the head of an item or heading. Returns where it ends. */
  #readHead(
    { text, start }: Line,
    from: number,
    { group, isHeading }: { group: string; isHeading: boolean },
  ): number {
    const written = text.slice(from, from + maxHead * 2);
    const marks = openingMarks.exec(written)?.[0] ?? '';
    const head = written.slice(marks.length);
    const isBold = /\*\*|__/.test(marks);
    const ends = [
      isBold ? head.search(/\*\*|__/) : -1,
      marks.includes('[') ? head.search(/\]\s?[([]/) : -1,
      head.search(separator),
    ].filter((at) => at > 0);
    const length = Math.min(...ends, head.length);
    const isClosed = ends.length > 0;
    const at = from + marks.length;
    if (length <= maxHead && (isClosed || isHeading || head.length <= maxPlain)) {
      const kind = isHeading ? 'heading' : isClosed ? 'item' : 'plain item';
      this.#add(kind, { start: start + at, end: start + at + length }, group);
    }
    return at + length;
  }

  #readBold({ text, start }: Line, from: number, group: string): void {
    let at = text.indexOf('**', from);
    // The head of the line has left its closing marks.
    if (at === from) at = text.indexOf('**', from + 2);
    while (at !== -1) {
      const close = text.indexOf('**', at + 2);
      if (close === -1) return;
      if (close - at <= maxHead) {
        const cut = text.slice(at + 2, close).search(separator);
        const end = cut > 0 ? at + 2 + cut : close;
        this.#add('bold', { start: start + at + 2, end: start + end }, `bold ${group}`);
      }
      at = text.indexOf('**', close + 2);
    }
  }

  /** Reads a row of a table. False if the line is none. */
  #readRow({ text, start, number }: Line, following: string): boolean {
    const isRow = text.trimStart().startsWith('|') || (this.#table !== null && text.includes('|'));
    if (!isRow && !isHeaderRow(text, following)) {
      this.#table = null;
      return false;
    }
    const kind = this.#table === null ? 'column' : 'cell';
    this.#table ??= number;
    for (const cell of readNameCells(text, start, kind === 'column'))
      this.#add(kind, cell, `${kind} ${this.#table}`);
    return true;
  }
}
