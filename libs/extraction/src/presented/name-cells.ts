import type { Span } from '../text/span.ts';

const maxCells = 20;
const maxRow = 2_000;
const delimiter = /^[\s|:-]+$/;
/** What ends the name in a cell. */
const cellEnd = /<br|\s[(–—]|（/u;

/** Whether a line is the header of a table: the next one is "|---|---|". */
export function isHeaderRow(line: string, following: string): boolean {
  if (!line.includes('|')) return false;
  const next = following.split('\n', 1)[0] ?? '';
  return next.includes('|') && next.includes('--') && delimiter.test(next);
}

/** The cells of a row that may hold a name: of a header all but the first, else the first of the row with a letter. */
export function readNameCells(line: string, start: number, isHeader: boolean): Span[] {
  const row = line.slice(0, maxRow);
  if (delimiter.test(row)) return [];
  const cells: Span[] = [];
  const outer = row.trimStart().startsWith('|') ? row.indexOf('|') + 1 : 0;
  let from = outer;
  for (const written of row.slice(outer).split('|', maxCells)) {
    const cut = written.search(cellEnd);
    cells.push({ start: start + from, end: start + from + (cut > 0 ? cut : written.length) });
    from += written.length + 1;
  }
  if (isHeader) return cells.slice(1);
  // The first column may hold ranks.
  return cells
    .slice(0, 2)
    .filter((cell) => /\p{L}/u.test(line.slice(cell.start - start, cell.end - start)))
    .slice(0, 1);
}
