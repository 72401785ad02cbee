import { validationError } from './errors.ts';

const DAY_MS = 86_400_000;
/** 0001-01-01: there is no year 0. */
const FIRST_DAY = Date.parse('0001-01-01T00:00:00Z') / DAY_MS;

/** Maximum number of days from `from` to `to`, by kind of read. */
export const maxWindowDays = { standard: 366, sources: 90, precision: 91 } as const;

export type DateWindow = { from: string; to: string };

const windowError = (code: string, message: string, path = 'from/to') =>
  validationError([{ path, code, message }]);

function parseDay(date: string, path?: string): number {
  const time = Date.parse(`${date}T00:00:00Z`);
  const isReal = time >= FIRST_DAY * DAY_MS && new Date(time).toISOString().startsWith(date);
  if (!isReal) {
    throw windowError('invalid_date', `${path ?? 'from or to'} is not a real calendar date`, path);
  }
  return time / DAY_MS;
}

const formatDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/**
 * Resolves a window: both ends inclusive, `to` defaults to `today` (UTC), `from` to `defaultDays` days before `to`.
 * Throws `validation_error` with `invalid_date`, `window_inverted` or `window_too_wide`.
 */
export function resolveWindow(
  sent: { from?: string | undefined; to?: string | undefined },
  today: string,
  maxDays: number,
  defaultDays = 30,
): DateWindow {
  const to = parseDay(sent.to ?? today);
  const from = sent.from === undefined ? Math.max(to - defaultDays, FIRST_DAY) : parseDay(sent.from);
  if (from > to) throw windowError('window_inverted', 'from is after to');
  if (to - from > maxDays) throw windowError('window_too_wide', `to is more than ${maxDays} days after from`);
  return { from: formatDay(from), to: formatDay(to) };
}

/** Maximum number of days of a compared window, both ends counted. */
const maxComparedDays = 92;
const defaultComparedDays = 7;

type ComparedDates = Partial<Record<'from_a' | 'to_a' | 'from_b' | 'to_b', string | undefined>>;
type Days = { from: number; to: number };

/**
 * Resolves the windows of a comparison, both ends inclusive. Window b defaults to the last 7 days with `today` (UTC),
 * window a to the 7 days before b. Throws `validation_error` with `invalid_date`, `window_inverted`, `window_too_wide` or
 * `windows_overlap`.
 */
export function resolveComparedWindows(sent: ComparedDates, today: string): { a: DateWindow; b: DateWindow } {
  const b = resolveComparedDays(sent, 'b') ?? daysUntil(parseDay(today));
  const a = resolveComparedDays(sent, 'a') ?? daysUntil(Math.max(b.from - 1, FIRST_DAY));
  if (a.from <= b.to && b.from <= a.to) {
    throw windowError('windows_overlap', 'the two windows have days in common', 'from_b');
  }
  const toWindow = ({ from, to }: Days): DateWindow => ({ from: formatDay(from), to: formatDay(to) });
  return { a: toWindow(a), b: toWindow(b) };
}

const daysUntil = (to: number): Days => ({ from: Math.max(to - defaultComparedDays + 1, FIRST_DAY), to });

function resolveComparedDays(sent: ComparedDates, name: 'a' | 'b'): Days | undefined {
  const path = `from_${name}` as const;
  const [sentFrom, sentTo] = [sent[path], sent[`to_${name}`]];
  if (sentFrom === undefined || sentTo === undefined) return undefined;
  const from = parseDay(sentFrom, path);
  const to = parseDay(sentTo, `to_${name}`);
  if (from > to) throw windowError('window_inverted', `${path} is after to_${name}`, path);
  if (to - from >= maxComparedDays) {
    throw windowError('window_too_wide', `the window has more than ${maxComparedDays} days`, path);
  }
  return { from, to };
}
