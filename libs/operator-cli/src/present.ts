import Table from 'cli-table3';

type Row = Record<string, unknown>;

const plain = {
  chars: {
    top: '',
    'top-mid': '',
    'top-left': '',
    'top-right': '',
    bottom: '',
    'bottom-mid': '',
    'bottom-left': '',
    'bottom-right': '',
    left: '',
    'left-mid': '',
    mid: '',
    'mid-mid': '',
    right: '',
    'right-mid': '',
    middle: '  ',
  },
  style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
};

// oxlint-disable-next-line no-control-regex -- stored text must not contain terminal control sequences
const control = /[\u0000-\u001f\u007f-\u009f]/g;

function cell(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(cell).join(',');
  if (typeof value === 'object') {
    const entries = Object.entries(value).map(([name, part]) => `${name}=${cell(part)}`);
    return entries.length === 0 ? '-' : entries.join(' ');
  }
  return String(value as string | number | boolean).replaceAll(control, ' ');
}

const trimLineEnds = (text: string): string => text.replaceAll(/ +$/gm, '');

type RowsOptions = { columns?: readonly string[] | undefined; width?: number | undefined };

/** Formats a list as a table with one row per element. `width`: characters of a line. */
export function rowsTable(rows: readonly Row[], { columns, width }: RowsOptions = {}): string {
  const [first] = rows;
  if (first === undefined) return 'none';
  const names = columns ?? Object.keys(first);
  const head = names.map((name) => name.toUpperCase());
  const cells = rows.map((row) => names.map((name) => cell(row[name])));
  const widths = fit([head, ...cells], width ?? Infinity);
  const table = new Table({ ...plain, head: shorten(head, widths) });
  table.push(...cells.map((row) => shorten(row, widths)));
  return trimLineEnds(table.toString());
}

const gap = plain.chars.middle.length;
const minWidth = 6;
/** Ids are never truncated, because a truncated id is useless. */
const id = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Computes the column widths: the widest columns shrink until a row fits. */
function fit(rows: string[][], width: number): number[] {
  const columns = (rows[0] ?? []).map((_, index) => rows.map((row) => row[index] ?? ''));
  const widths = columns.map((texts) => Math.max(...texts.map((text) => text.length)));
  const isWhole = columns.map((texts) => texts.some((text) => id.test(text)));
  const total = (): number => widths.reduce((sum, one) => sum + one + gap, -gap);
  while (total() > width) {
    const narrowable = widths.map((one, index) => (isWhole[index] ? 0 : one));
    const widest = Math.max(...narrowable);
    if (widest <= minWidth) break;
    widths[narrowable.indexOf(widest)] = widest - 1;
  }
  return widths;
}

const shorten = (row: string[], widths: number[]): string[] =>
  row.map((text, index) => {
    const width = widths[index] ?? Infinity;
    return text.length <= width ? text : `${text.slice(0, width - 1).toWellFormed()}…`;
  });

/** Formats one item with one field per line. The field `block` is printed as JSON below the others. */
export function itemTable(item: Row, block?: string): string {
  const table = new Table(plain);
  const fields = Object.entries(item).filter(([name]) => name !== block);
  table.push(...fields.map(([name, value]) => [name, cell(value)]));
  const text = trimLineEnds(table.toString());
  return block === undefined ? text : `${text}\n\n${block}\n${jsonBlock(item[block])}`;
}

const jsonBlock = (value: unknown): string =>
  (JSON.stringify(value, null, 2) ?? '-')
    .split('\n')
    .map((line) => line.replaceAll(control, ' '))
    .join('\n');
