import { validationError } from './errors.ts';

const DAY_MS = 86_400_000;
/** 0001-01-01: there is no year 0. */
const FIRST_DAY = Date.parse('0001-01-01T00:00:00Z') / DAY_MS;

/** Greatest number of days from `from` to `to`, by kind of list. */
export const maxWindowDays = { standard: 366, sources: 90 } as const;

export type DateWindow = { from: string; to: string };

const refuse = (code: string, message: string) => validationError([{ path: 'from/to', code, message }]);

function dayOf(date: string): number {
  const time = Date.parse(`${date}T00:00:00Z`);
  const real = time >= FIRST_DAY * DAY_MS && new Date(time).toISOString().startsWith(date);
  if (!real) throw refuse('invalid_date', 'from or to is not a real calendar date');
  return time / DAY_MS;
}

const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/**
 * Resolves the window of a list: both ends inclusive, `to` defaults to `today` (UTC), `from` to 30 days before.
 * Throws `validation_error` with `invalid_date`, `window_inverted` or `window_too_wide`.
 */
export function resolveWindow(
  written: { from?: string | undefined; to?: string | undefined },
  today: string,
  maxDays: number,
): DateWindow {
  const to = dayOf(written.to ?? today);
  const from = written.from === undefined ? Math.max(to - 30, FIRST_DAY) : dayOf(written.from);
  if (from > to) throw refuse('window_inverted', 'from is after to');
  if (to - from > maxDays) throw refuse('window_too_wide', `to is more than ${maxDays} days after from`);
  return { from: dateOf(from), to: dateOf(to) };
}
