import type { DateWindow } from '@bv/contract';

const dayMs = 86_400_000;

/** Number of days of a window, both ends counted. */
export const countDays = ({ from, to }: DateWindow): number =>
  1 + (Date.parse(to) - Date.parse(from)) / dayMs;

/** The day of a time in UTC, as YYYY-MM-DD. */
export const toDay = (time: Date): string => time.toISOString().slice(0, 10);

/** The day that is `days` after a date, both as YYYY-MM-DD. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}
