import type { ScoreWindow } from '@bv/sdk';

const dayMs = 86_400_000;

/** A day in UTC, YYYY-MM-DD. */
export const getToday = (): string => new Date().toISOString().slice(0, 10);

export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

export const daysOf = { day: 1, '7d': 7, '28d': 28 } as const satisfies Record<ScoreWindow, number>;

export type Period = { from: string; to: string };

/** The days up to and including `to`. */
export const periodUpTo = (to: string, days: number): Period => ({ from: addDays(to, 1 - days), to });

const format = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

export const showDay = (day: string): string => format.format(new Date(day));

export const showPeriod = ({ from, to }: Period): string =>
  from === to ? showDay(from) : `${showDay(from)} to ${showDay(to)}`;
