/** Requests that are leased from Postgres at once. A customer loses at most this many when Redis loses its data. */
export function leaseBlockSize(quota: number): number {
  return Math.min(1_000, Math.max(10, Math.floor(quota / 100)));
}

/** Whole seconds until a moment, at least 1, so that no client retries in the same window. */
export function secondsUntil(momentMs: number, nowMs: number): number {
  return Math.max(1, Math.ceil((momentMs - nowMs) / 1_000));
}

/** The first moment of the next UTC calendar month. */
export function nextMonthMs(nowMs: number): number {
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
}

/** `2026-11` for 202611. */
export function monthText(month: number): string {
  return `${Math.floor(month / 100)}-${String(month % 100).padStart(2, '0')}`;
}

/** 202611 for `2026-11`. */
export function parseMonth(text: string): number {
  return Number(text.replace('-', ''));
}
