import type { Span } from '../text/span.ts';
import { isDelimiterRow, type Line, readCells } from './lines.ts';
import type { Mention } from './roles.ts';
import { readPolarity } from './words.ts';

export type TableLine = { line: Line; mentions: readonly Mention[] };

/** A cell, the brand of its row or column if it has one, and the header of the other direction. */
export type Cell = {
  cell: Span;
  mentions: Mention[];
  brand: number | null;
  label: Span | null;
  polarity: -1 | 0 | 1;
};

type Row = { cells: Span[]; mentions: Mention[][]; brands: (number | null)[] };

/** The cells of a table. Brands name rows in the first two columns, or columns in the first row. */
export function readTable(text: string, lines: readonly TableLine[]): Cell[] {
  const rows = lines.filter(({ line }) => !isDelimiterRow(text, line)).map((line) => readRow(text, line));
  const header = rows.length > 1 ? rows[0] : undefined;
  const isByColumn = header?.brands.slice(1).some((brand) => brand !== null) === true;
  return rows.flatMap((row, index) => {
    const named = row.brands.slice(0, 2).findIndex((brand) => brand !== null);
    const rowBrand = index === 0 && isByColumn ? null : (row.brands[named] ?? null);
    return row.cells.map((cell, column): Cell => {
      const mentions = row.mentions[column] ?? [];
      const own = { cell, mentions, brand: null, label: null, polarity: 0 as const };
      if (index === 0 && header !== undefined) return own;
      if (rowBrand !== null && column > named) return toCell(text, own, rowBrand, header?.cells[column]);
      const columnBrand = isByColumn && column > 0 ? (header?.brands[column] ?? null) : null;
      return columnBrand === null ? own : toCell(text, own, columnBrand, row.cells[0]);
    });
  });
}

function toCell(text: string, own: Cell, brand: number, header: Span | undefined): Cell {
  const words =
    header === undefined ? '' : text.slice(header.start, Math.min(header.end, header.start + 100));
  const label = words.trim() === '' ? null : (header ?? null);
  return { ...own, brand, label, polarity: readPolarity(words) };
}

function readRow(text: string, { line, mentions }: TableLine): Row {
  const cells = readCells(text, line);
  const inside: Mention[][] = cells.map(() => []);
  let cell = 0;
  for (const mention of mentions) {
    while (cell < cells.length - 1 && mention.start >= (cells[cell]?.end ?? 0)) cell += 1;
    inside[cell]?.push(mention);
  }
  const brands = inside.map((each) => {
    const named = new Set(each.map(({ brand }) => brand));
    return named.size === 1 ? (each[0]?.brand ?? null) : null;
  });
  return { cells, mentions: inside, brands };
}
