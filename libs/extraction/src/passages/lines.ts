import type { Span } from '../text/span.ts';
import type { LineMark } from '../text/visible-text.ts';

/** A line of a visible text. `start` is behind its markup: "#", a bullet or a number. */
export type Line = Span & {
  kind: 'heading' | 'bold' | 'item' | 'row' | 'rule' | 'blank' | 'text';
  /** Depth: of a heading 1 to 6, of another line its indentation. A bullet is deeper than a number with the same indentation. */
  depth: number;
};

const heading = /^\s{0,3}(#{1,6})\s+/;
const rule = /^\s{0,3}(?:-\s?){3,60}$|^\s{0,3}(?:_\s?){3,60}$/;
const number = /^(\s{0,40})(?:\d{1,3}[.)）]|[①-⑳])\s*/u;
const bullet = /^([\s>]{0,40})[-+•◦▪▸‣●○·–—✅✔✓❌✗➤→]️?\s+/u;
/** Markup is read at the start of a line. */
const maxMarkup = 120;
/** A longer line is not the delimiter of a table. */
const maxRow = 2_000;
const indentation = /^[\s>]*/;

/** The lines of a visible text in order. */
export function* readLines(text: string, marks: ReadonlyMap<number, LineMark>): Generator<Line> {
  let start = 0;
  for (let index = 0; start <= text.length; index += 1) {
    const next = text.indexOf('\n', start);
    const end = next === -1 ? text.length : next;
    yield readLine(text, { start, end }, marks.get(index));
    start = end + 1;
  }
}

function readLine(text: string, { start, end }: Span, mark: LineMark | undefined): Line {
  const head = text.slice(start, Math.min(end, start + maxMarkup));
  const indent = width(indentation.exec(head)?.[0] ?? '');
  if (head.trim() === '') return { start, end, kind: 'blank', depth: 0 };
  const hashes = heading.exec(head);
  if (hashes) {
    const from = Math.min(end, start + hashes[0].length);
    return { start: from, end, kind: 'heading', depth: hashes[1]?.length ?? 1 };
  }
  if (end - start <= maxMarkup && rule.test(head)) return { start, end, kind: 'rule', depth: 0 };
  if (mark === 'bold') return { start, end, kind: 'bold', depth: indent };
  if (isRow(text, { start, end })) return { start, end, kind: 'row', depth: indent };
  const item = readItem(head);
  if (item !== null)
    return { start: Math.min(end, start + item.length), end, kind: 'item', depth: item.depth };
  if (mark === 'bullet') return { start, end, kind: 'item', depth: indent * 2 + 1 };
  return { start, end, kind: 'text', depth: indent };
}

function readItem(head: string): { length: number; depth: number } | null {
  const numbered = number.exec(head);
  const item = numbered ?? bullet.exec(head);
  if (item === null) return null;
  const length = item[0].length;
  // "3.5 stars" is no item.
  if (
    numbered !== null &&
    /\d$/.test(item[0].trimEnd().slice(0, -1)) &&
    /^\d/.test(head.slice(length)) &&
    !/\s$/.test(item[0])
  )
    return null;
  return { length, depth: width(item[1] ?? '') * 2 + (numbered === null ? 1 : 0) };
}

/** The width of an indentation. */
function width(space: string): number {
  return space.replaceAll('\t', '    ').length;
}

function isRow(text: string, { start, end }: Span): boolean {
  const first = text.indexOf('|', start);
  if (first === -1 || first >= end) return false;
  if (text.slice(start, first).trim() === '') return true;
  return text.charAt(first - 1) === ' ' && text.charAt(first + 1) === ' ';
}

/** The cells of a row, without the empty ones outside the outer bars. */
export function readCells(text: string, { start, end }: Span): Span[] {
  const cells: Span[] = [];
  let from = start;
  for (let at = start; at <= end; at += 1) {
    if (at < end && (text.charAt(at) !== '|' || text.charAt(at - 1) === '\\')) continue;
    cells.push({ start: from, end: at });
    from = at + 1;
  }
  const isEmpty = (cell: Span | undefined): boolean =>
    cell !== undefined && text.slice(cell.start, cell.end).trim() === '';
  if (cells.length > 1 && isEmpty(cells[0]) && text.slice(start, end).trimStart().startsWith('|'))
    cells.shift();
  if (cells.length > 1 && isEmpty(cells.at(-1)) && text.slice(start, end).trimEnd().endsWith('|'))
    cells.pop();
  return cells;
}

/** "|---|:---:|" */
export function isDelimiterRow(text: string, { start, end }: Span): boolean {
  const row = text.slice(start, Math.min(end, start + maxRow));
  return end - start < maxRow && row.includes('-') && /^[\s|:-]+$/.test(row);
}
