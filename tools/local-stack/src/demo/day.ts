/** Today in UTC, YYYY-MM-DD. */
export const getToday = (): string => new Date().toISOString().slice(0, 10);

export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
