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

// oxlint-disable-next-line no-control-regex -- a stored text must not steer the terminal
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

const untrailed = (text: string): string => text.replaceAll(/ +$/gm, '');

/** Elements of a list, a row each. */
export function rowsTable(rows: readonly Row[]): string {
  const [first] = rows;
  if (first === undefined) return 'none';
  const names = Object.keys(first);
  const table = new Table({ ...plain, head: names.map((name) => name.toUpperCase()) });
  table.push(...rows.map((row) => names.map((name) => cell(row[name]))));
  return untrailed(table.toString());
}

/** One thing, a field a line. */
export function itemTable(item: Row): string {
  const table = new Table(plain);
  table.push(...Object.entries(item).map(([name, value]) => [name, cell(value)]));
  return untrailed(table.toString());
}
