/** The UTC day, YYYY-MM-DD. */
export function toUtcDay(now: Date): string {
  return now.toISOString().slice(0, 10);
}

/** First day of the UTC month, YYYY-MM-DD. */
export function toUtcMonth(now: Date): string {
  return `${now.toISOString().slice(0, 7)}-01`;
}

/** The first instant after a month; `month` is its first day. */
export function monthEnd(month: string): string {
  const start = new Date(`${month}T00:00:00Z`);
  return new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1)).toISOString();
}
