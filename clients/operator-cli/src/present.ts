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

/** Fields whose null means any number. In `overrides` all limits do. */
const alwaysUnlimited = new Set(['limit', 'remaining', 'quota', 'monthly_quota']);
const isLimit = (path: string, unlimited: readonly string[]): boolean => {
  const [name = '', parent] = path.split('.').toReversed();
  return alwaysUnlimited.has(name) || parent === 'overrides' || unlimited.includes(path);
};

type CellOptions = { path?: string; unlimited?: readonly string[] };

/** One value on one line. Nested values have lines of their own. */
function cell(value: unknown, { path = '', unlimited = [] }: CellOptions = {}): string {
  if (value === null || value === undefined) return isLimit(path, unlimited) ? 'unlimited' : '-';
  if (value === '') return '-';
  if (isRow(value)) return 'none';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map((part) => cell(part)).join(', ');
  return String(value as string | number | boolean).replaceAll(control, ' ');
}

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isRows = (value: unknown): value is Row[] =>
  Array.isArray(value) && value.length > 0 && value.every(isRow);

/** Whether a value needs lines of its own. */
const isNested = (value: unknown): boolean =>
  isRows(value) || (isRow(value) && Object.keys(value).length > 0);

/** Fields that a table of these rows does not show. */
export const nestedFields = (rows: readonly Row[]): string[] => [
  ...new Set(rows.flatMap((row) => Object.keys(row).filter((name) => isNested(row[name])))),
];

const trimLineEnds = (text: string): string => text.replaceAll(/ +$/gm, '');

type RowsOptions = {
  columns?: readonly string[] | undefined;
  width?: number | undefined;
  unlimited?: readonly string[] | undefined;
};

/** Formats a list as a table with one row per element, without nested fields. `width`: characters of a line. */
export function rowsTable(
  rows: readonly Row[],
  { columns, width, unlimited = [] }: RowsOptions = {},
): string {
  const [first] = rows;
  if (first === undefined) return 'none';
  const nested = nestedFields(rows);
  const names = columns ?? Object.keys(first).filter((name) => !nested.includes(name));
  const head = names.map((name) => name.toUpperCase());
  const cells = rows.map((row) => names.map((path) => cell(row[path], { path, unlimited })));
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

/**
 * Formats one item with one field per line. Fields of a nested value are indented below its name, and a list of objects
 * is a table below it. The field `block` is printed as JSON below the others.
 */
export function itemTable(item: Row, block?: string): string {
  const fields = Object.entries(item).filter(([name]) => name !== block);
  const text = trimLineEnds(recordLines(fields, '').join('\n'));
  return block === undefined ? text : `${text}\n\n${block}\n${jsonBlock(item[block])}`;
}

function recordLines(fields: [name: string, value: unknown][], parent: string): string[] {
  const width = Math.max(0, ...fields.filter(([, value]) => !isNested(value)).map(([name]) => name.length));
  return fields.flatMap(([name, value]) => {
    const path = parent === '' ? name : `${parent}.${name}`;
    if (isRows(value)) return [name, ...indent(listLines(value))];
    if (isNested(value)) return [name, ...indent(recordLines(Object.entries(value as Row), path))];
    return [`${name.padEnd(width + gap)}${cell(value, { path })}`];
  });
}

/** A table, or a record for each element if an element has nested fields. */
function listLines(rows: readonly Row[]): string[] {
  if (nestedFields(rows).length === 0) return rowsTable(rows).split('\n');
  return rows.flatMap((row, index) => [
    ...(index === 0 ? [] : ['']),
    ...recordLines(Object.entries(row), ''),
  ]);
}

const indent = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);

const jsonBlock = (value: unknown): string =>
  (JSON.stringify(value, null, 2) ?? '-')
    .split('\n')
    .map((line) => line.replaceAll(control, ' '))
    .join('\n');
