import type { Span } from '../text/span.ts';

const maxCells = 20;
const maxRow = 2_000;
const maxDelimiter = 200;
const delimiter = /^[\s|:-]+$/;
/** What ends the name in a cell. */
const cellEnd = /<br|\s[(–—]|（/u;

/** Whether the line at an index is the delimiter of a table: "|---|---|". */
export function isDelimiterLine(text: string, start: number): boolean {
  const line = text.slice(start, start + maxDelimiter).split('\n', 1)[0] ?? '';
  return line.includes('|') && line.includes('--') && delimiter.test(line);
}

/** The cells that may hold a name: of a header all but the first, of another row the first two. */
export function readNameCells(line: string, start: number, isHeader: boolean): (Span & { column: number })[] {
  const row = line.slice(0, maxRow);
  if (delimiter.test(row)) return [];
  const outer = row.trimStart().startsWith('|') ? row.indexOf('|') + 1 : 0;
  let from = start + outer;
  const cells = row
    .slice(outer)
    .split('|', maxCells)
    .map((written, column) => {
      const cut = written.search(cellEnd);
      const cell = { start: from, end: from + (cut > 0 ? cut : written.length), column };
      from += written.length + 1;
      return cell;
    });
  return isHeader ? cells.slice(1) : cells.slice(0, 2);
}
