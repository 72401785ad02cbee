export type Cell = string | number | null;

/** The numbers of a picture: for people who read instead of look, and as CSV. */
export type Table = { columns: readonly string[]; rows: readonly (readonly Cell[])[] };

const toField = (cell: Cell): string => {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  // A spreadsheet would run such a text as a formula.
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** CSV by RFC 4180. */
export const toCsv = ({ columns, rows }: Table): string =>
  [columns, ...rows].map((row) => `${row.map(toField).join(',')}\r\n`).join('');
