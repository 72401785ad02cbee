import pg from 'pg';

const oid = {
  int8: 20,
  date: 1082,
  timestamptz: 1184,
  numeric: 1700,
  textArray: 1009,
  int8Array: 1016,
  dateArray: 1182,
  timestamptzArray: 1185,
  numericArray: 1231,
  uuidArray: 2951,
} as const;

const utcTimestamp = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00$/;

/** `2026-11-21 03:00:00.5+00` to `2026-11-21T03:00:00.500000Z`: fixed width, so text order is time order. */
function parseTimestamp(text: string): string {
  const parts = utcTimestamp.exec(text);
  if (parts) return `${parts[1]}T${parts[2]}.${(parts[3] ?? '').padEnd(6, '0')}Z`;
  if (text.endsWith('infinity')) return text;
  throw new Error(
    'a timestamp is not in UTC and ISO style: TimeZone or DateStyle of the session was changed',
  );
}

/** Beyond 2^53 the result is text, because a number would be rounded. */
function parseInt8(text: string): number | string {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : text;
}

const identity = (text: string): string => text;

const arrayOf =
  <T>(parse: (text: string) => T) =>
  (text: string): (T | null)[] =>
    parseArray(text, parse);

/** Parsers of the clients of this library. The driver's global table is unchanged. */
export const typeParsers = new pg.TypeOverrides();
typeParsers.setTypeParser(oid.int8, parseInt8);
typeParsers.setTypeParser(oid.numeric, Number);
typeParsers.setTypeParser(oid.date, identity);
typeParsers.setTypeParser(oid.timestamptz, parseTimestamp);
typeParsers.setTypeParser(oid.textArray, arrayOf(identity));
typeParsers.setTypeParser(oid.int8Array, arrayOf(parseInt8));
typeParsers.setTypeParser(oid.numericArray, arrayOf(Number));
typeParsers.setTypeParser(oid.dateArray, arrayOf(identity));
typeParsers.setTypeParser(oid.timestamptzArray, arrayOf(parseTimestamp));
typeParsers.setTypeParser(oid.uuidArray, arrayOf(identity));

// pg-types' typings miss the `create` that its array parser has at run time.
const parser = pg.types.arrayParser as unknown as {
  create<T>(source: string, transform: (entry: string) => T): { parse(): (T | null)[] };
};

/**
 * Parses an array as Postgres writes it: `{US,"two words",NULL}`. Most arrays contain plain words and are split at their
 * commas, because pg's own parser took a tenth of the CPU time of a list of fifty prompts.
 */
export function parseArray<T>(text: string, parse: (element: string) => T): (T | null)[] {
  if (!isPlain(text)) return parser.create(text, parse).parse();
  const end = text.length - 1;
  const elements: T[] = [];
  for (let at = 1; at < end;) {
    const comma = text.indexOf(',', at);
    const next = comma === -1 ? end : comma;
    elements.push(parse(text.slice(at, next)));
    at = next + 1;
  }
  return elements;
}

/** Whether no element is quoted or null, and there is one dimension that begins at 1. */
const isPlain = (text: string): boolean =>
  text[0] === '{' && text[1] !== '{' && !text.includes('"') && !text.includes('NULL');
