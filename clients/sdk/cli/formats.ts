import { stringify } from 'csv-stringify/sync';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { extname } from 'node:path';
import type { Columns, ColumnType } from './columns.ts';
import type { Row } from './datasets.ts';
import { UsageError } from './failure.ts';

export const formatNames = ['csv', 'ndjson', 'parquet'] as const;
export type FormatName = (typeof formatNames)[number];

const formatByEnd: Record<string, FormatName> = {
  '': 'csv',
  '.csv': 'csv',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.parquet': 'parquet',
};

/** The format that the name of a file stands for. */
export function formatOf(out: string): FormatName {
  const format = formatByEnd[extname(out).toLowerCase()];
  if (format === undefined)
    throw new UsageError(`${out} names no format: end it with .csv, .ndjson or .parquet`);
  return format;
}

/** Converts rows to bytes. */
export type Encoder = {
  /** Whether a file can be continued after its last page. */
  isResumable: boolean;
  start: () => Uint8Array;
  encode: (rows: readonly Row[]) => Uint8Array;
  end: () => Uint8Array;
};

const nothing = new Uint8Array();
const toBytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Text that starts like this is a formula for spreadsheets, also with the wide characters of Asian keyboards. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;

function toCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return formula.test(value) ? `'${value}` : value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value as boolean | number);
}

function createCsv(columns: Columns): Encoder {
  const names = Object.keys(columns);
  const encode = (rows: readonly Row[]) => rows.map((row) => names.map((name) => toCell(row[name])));
  return {
    isResumable: true,
    start: () => toBytes(stringify([names])),
    encode: (rows) => toBytes(stringify(encode(rows))),
    end: () => nothing,
  };
}

/** Rows as the API returns them, also with fields that this version does not know. */
const ndjson: Encoder = {
  isResumable: true,
  start: () => nothing,
  encode: (rows) => toBytes(rows.map((row) => `${JSON.stringify(row)}\n`).join('')),
  end: () => nothing,
};

/** Microseconds since the epoch of a date-time, whose fraction has up to six digits. */
function toMicros(written: string): bigint {
  const micros = /\.\d{3}(\d{1,3})/.exec(written)?.[1] ?? '';
  return BigInt(Date.parse(written)) * 1000n + BigInt(micros.padEnd(3, '0'));
}

const parquetTypes = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  json: { type: 'BYTE_ARRAY', converted_type: 'JSON' },
  boolean: { type: 'BOOLEAN' },
  integer: { type: 'INT32' },
  number: { type: 'DOUBLE' },
  date: { type: 'INT32', converted_type: 'DATE' },
  time: { type: 'INT64', converted_type: 'TIMESTAMP_MICROS' },
} as const satisfies Record<ColumnType, object>;

function toParquet(value: unknown, type: ColumnType): unknown {
  if (value === undefined || value === null) return null;
  if (type === 'date') return new Date(value as string);
  return type === 'time' ? toMicros(value as string) : value;
}

const maxGroupRows = 50_000;

/** Collects rows and writes them in row groups. The file ends with its index, so it cannot be continued. */
function createParquet(columns: Columns): Encoder {
  const entries = Object.entries(columns);
  const bytes = new ByteWriter();
  const fields = entries.map(([name, type]) => ({
    name,
    repetition_type: 'OPTIONAL' as const,
    ...parquetTypes[type],
  }));
  const schema = [{ name: 'root', num_children: fields.length }, ...fields];
  const createWriter = () => new ParquetWriter({ writer: bytes, schema, createdBy: 'brand-visibility' });
  let writer: ParquetWriter | undefined;
  let rows: Row[] = [];

  const take = (): Uint8Array => {
    const taken = bytes.getBytes().slice();
    bytes.index = 0;
    return taken;
  };
  const flush = (): Uint8Array => {
    if (rows.length > 0) {
      const columnData = entries.map(([name, type]) => ({
        name,
        data: rows.map((row) => toParquet(row[name], type)),
      }));
      void writer?.write({ columnData, rowGroupSize: rows.length });
      rows = [];
    }
    return take();
  };
  return {
    isResumable: false,
    start: () => {
      rows = [];
      bytes.index = 0;
      bytes.offset = 0;
      writer = createWriter();
      return take();
    },
    encode: (more) => {
      rows.push(...more);
      return rows.length < maxGroupRows ? nothing : flush();
    },
    end: () => {
      const last = flush();
      void writer?.finish();
      return Buffer.concat([last, take()]);
    },
  };
}

export function createEncoder(name: FormatName, columns: Columns): Encoder {
  if (name === 'csv') return createCsv(columns);
  return name === 'ndjson' ? ndjson : createParquet(columns);
}
