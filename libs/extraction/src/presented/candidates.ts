import type { Span } from '../text/span.ts';
import { readListed } from './listed.ts';
import { type Link, readLinks } from './line-links.ts';
import { isDelimiterLine, readNameCells } from './name-cells.ts';
import type { NameWords } from './words.ts';

/** Candidates of one list, table or level of headings: all are names, or none is. */
export type Group = {
  /** What the line before says: above 0 that names follow, below 0 that attributes do. */
  bias: number;
  /** The item of which this is the inner list. */
  parent: Candidate | null;
};

/** Where a name may stand. */
export type Candidate = Span & {
  kind: 'item' | 'plain item' | 'heading' | 'cell' | 'column' | 'bold' | 'link' | 'listed' | 'bracket';
  group: Group;
  links: readonly Link[];
};

/** The part of a line that is read. */
const maxLine = 4_000;
const maxHead = 120;
/** An item without a separator or bold letters is its head if it is as short as a name. */
const maxPlain = 80;
/** A hostile text must not take long. */
const maxCandidates = 400;
const bullets = '-*+•◦▪▸‣●○·–—►▶➤→✅✔✓☑❌✗⭐';
/** Indentation, "#", bullet and number at the start of a line. */
const prefix = new RegExp(
  [
    String.raw`^([\s>]{0,40})(#{1,6}\s+)?([${bullets}]️?\s+)?`,
    String.raw`((?:\d{1,3}[.)．、](?=[\s*[]|\P{ASCII})|[①-⑳]|\d️?⃣)\s*)?`,
  ].join(''),
  'u',
);
const fence = /^\s{0,3}(?:\x60{3}|~{3})/;
const boldLine = /^\s*(\*\*\*?|__)(?![\s*_])[^*\n]{1,200}\1[:：]?\s*$/u;
const openingMarks = /^[\s*_[\]~\x60"'“”„«»「『]{1,40}/u;
/** What ends the head of a line. */
const separator =
  /[:：](?=[\s*_]|$|\P{ASCII})|\s[–—―=→|-]{1,3}\s|[—―(（【;，。；]|\s\[|,(?=\s\p{Ll})|[.!?](?=\s)/u;

/** Where an answer may present a name, in the order of the text. */
export function readCandidates(text: string, words: NameWords): Candidate[] {
  const reader = new CandidateReader(words);
  let start = 0;
  for (let number = 0; start <= text.length && reader.found.length < maxCandidates; number += 1) {
    const next = text.indexOf('\n', start);
    const end = next === -1 ? text.length : next;
    const line = { text: text.slice(start, Math.min(end, start + maxLine)), start, number };
    if (/\S/.test(line.text)) reader.read(line, text, end + 1);
    start = end + 1;
  }
  return reader.found;
}

type Line = { text: string; start: number; number: number };

/** The length of the marks at the start of a line, and what they make of it. Bold headings have the level 0. */
function readMarks(line: string): { marks: number; indent: number; level: number | null; isItem: boolean } {
  const [marks = '', indent = '', hashes, bullet, number] = prefix.exec(line) ?? [];
  const isBold = hashes === undefined && bullet === undefined && boldLine.test(line);
  return {
    marks: marks.length,
    indent: indent.includes('\t') ? indent.replaceAll('\t', '    ').length : indent.length,
    level: isBold ? 0 : (hashes?.length ?? null),
    isItem: bullet !== undefined || number !== undefined,
  };
}

class CandidateReader {
  readonly found: Candidate[] = [];
  readonly #words: NameWords;
  readonly #groups = new Map<string, Group>();
  readonly #linkGroup: Group = { bias: 0, parent: null };
  #isCode = false;
  #links: readonly Link[] = [];
  /** The last line that is no item. It introduces a list. */
  #intro = { number: 0, text: '' };
  /** The open items, the outermost first. */
  #items: { indent: number; group: Group; head: Candidate | null }[] = [];
  /** The number of the line of the header of the open table. */
  #table: number | null = null;

  constructor(words: NameWords) {
    this.#words = words;
  }

  read(line: Line, answer: string, next: number): void {
    if (fence.test(line.text)) this.#isCode = !this.#isCode;
    if (this.#isCode) return;
    this.#links = readLinks(line.text, line.start);
    if (this.#readRow(line, answer, next)) return;
    const { marks, indent, level, isItem } = readMarks(line.text);
    const isHeading = level !== null;
    const group = isHeading ? this.#getGroup(`heading ${level}`) : isItem ? this.#openItem(indent) : null;
    if (group === null || isHeading) this.#introduce(line);
    const end = group === null ? marks : this.#readHead(line, marks, { group, isHeading });
    this.#readBold(line, end, group === null ? this.#intro.number : line.number);
    for (const { label, isLabel } of this.#links) if (isLabel) this.#add('link', label, this.#linkGroup);
    for (const { parts, isBracket } of readListed(line, marks, this.#words)) {
      const group = { bias: 0, parent: null };
      for (const part of parts) this.#add(isBracket ? 'bracket' : 'listed', part, group);
    }
  }

  #introduce(line: Line): void {
    this.#intro = line;
    this.#items = [];
  }

  #add(kind: Candidate['kind'], { start, end }: Span, group: Group): Candidate {
    const candidate = { kind, start, end, group, links: this.#links };
    this.found.push(candidate);
    return candidate;
  }

  #getGroup(key: string): Group {
    const known = this.#groups.get(key);
    if (known !== undefined) return known;
    const group = { bias: 0, parent: null };
    this.#groups.set(key, group);
    return group;
  }

  /** The group of an item: its siblings have the same parent and depth. */
  #openItem(indent: number): Group {
    let sibling: Group | undefined;
    while ((this.#items.at(-1)?.indent ?? -1) >= indent) sibling = this.#items.pop()?.group;
    const outer = this.#items.at(-1);
    const group = sibling ?? {
      bias: outer === undefined ? this.#readBias() : 0,
      parent: outer?.head ?? null,
    };
    this.#items.push({ indent, group, head: null });
    return group;
  }

  /** Whether the line before says that names follow it ("the best tools"), or attributes ("what to consider"). */
  #readBias(): number {
    const line = this.#intro.text.slice(0, maxHead * 2);
    const isAnnounced = this.#words.announces?.test(line) === true;
    if (this.#words.attributes?.test(line) === true) return isAnnounced ? 0 : -1;
    return isAnnounced ? 0.4 : 0;
  }

  /** Reads the head of an item or heading. Returns where it and its marks end. */
  #readHead(
    { text, start }: Line,
    from: number,
    { group, isHeading }: { group: Group; isHeading: boolean },
  ): number {
    const written = text.slice(from, from + maxHead * 2);
    const marks = openingMarks.exec(written)?.[0] ?? '';
    const head = written.slice(marks.length);
    const isBold = marks.includes('**') || marks.includes('__');
    const closing = isBold ? head.search(/\*\*|__/) : -1;
    const ends = [
      closing,
      marks.includes('[') ? head.search(/\]\s?[([]/) : -1,
      head.search(separator),
    ].filter((at) => at > 0);
    const length = Math.min(...ends, head.length);
    const isClosed = ends.length > 0;
    const at = from + marks.length;
    if (length > maxHead || !(isClosed || isHeading || head.length <= maxPlain))
      return at + Math.max(length, closing + 2);
    const kind = isHeading ? 'heading' : isClosed ? 'item' : 'plain item';
    const parts = splitHead(head.slice(0, length));
    for (const part of parts) {
      const candidate = this.#add(
        kind,
        { start: start + at + part.start, end: start + at + part.end },
        group,
      );
      const item = this.#items.at(-1);
      if (!isHeading && item !== undefined) item.head = candidate;
    }
    return at + Math.max(length, closing + 2);
  }

  #readBold({ text, start }: Line, from: number, block: number): void {
    let at = text.indexOf('**', from);
    if (at === -1) return;
    const group = this.#getGroup(`bold ${block}`);
    while (at !== -1) {
      const close = text.indexOf('**', at + 2);
      if (close === -1) return;
      if (close - at <= maxHead) {
        const cut = text.slice(at + 2, close).search(separator);
        const bold = text.slice(at + 2, cut > 0 ? at + 2 + cut : close);
        for (const part of splitHead(bold))
          this.#add('bold', { start: start + at + 2 + part.start, end: start + at + 2 + part.end }, group);
      }
      at = text.indexOf('**', close + 2);
    }
  }

  /** Reads a row of a table. False if the line is none. */
  #readRow({ text, start, number }: Line, answer: string, next: number): boolean {
    const isRow = text.includes('|') && (text.trimStart().startsWith('|') || this.#table !== null);
    if (!isRow && !(text.includes('|') && isDelimiterLine(answer, next))) {
      this.#table = null;
      return false;
    }
    const kind = this.#table === null ? 'column' : 'cell';
    this.#table ??= number;
    for (const { column, ...cell } of readNameCells(text, start, kind === 'column'))
      for (const part of splitHead(text.slice(cell.start - start, cell.end - start)))
        this.#add(
          kind,
          { start: cell.start + part.start, end: cell.start + part.end },
          this.#getGroup(`${kind} ${this.#table} ${kind === 'cell' ? column : ''}`),
        );
    return true;
  }
}

/** "AthenaHQ / Goodie AI" and "LastPass, Keeper, Dashlane" are several names. */
function splitHead(head: string): Span[] {
  if (!/[,、/]/.test(head)) return [{ start: 0, end: head.length }];
  const parts: Span[] = [];
  let start = 0;
  for (const { 0: mark, index } of head.matchAll(/\s\/\s|[,、]\s?/g)) {
    parts.push({ start, end: index });
    start = index + mark.length;
  }
  parts.push({ start, end: head.length });
  return parts;
}
