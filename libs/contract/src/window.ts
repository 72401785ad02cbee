import { validationError } from './errors.ts';

const DAY_MS = 86_400_000;
/** 0001-01-01: there is no year 0. */
const FIRST_DAY = Date.parse('0001-01-01T00:00:00Z') / DAY_MS;

/** Maximum number of days from `from` to `to`, by kind of list. */
export const maxWindowDays = { standard: 366, sources: 90 } as const;

export type DateWindow = { from: string; to: string };

const windowError = (code: string, message: string) => validationError([{ path: 'from/to', code, message }]);

function parseDay(date: string): number {
  const time = Date.parse(`${date}T00:00:00Z`);
  const isReal = time >= FIRST_DAY * DAY_MS && new Date(time).toISOString().startsWith(date);
  if (!isReal) throw windowError('invalid_date', 'from or to is not a real calendar date');
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
