import { createHash } from 'node:crypto';

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

/** The last hour of the day has no slots, so that the schedule interval or a short outage skips no day. */
const slots = 23 * 3_600;

/** The second of the UTC day at which a brand is scanned: stable for a brand, uniform over brands. */
export function slotSecond(brandId: string): number {
  return createHash('sha256').update(brandId).digest().readUInt32BE(0) % slots;
}

export function secondOfDay(now: Date): number {
  return now.getUTCHours() * 3_600 + now.getUTCMinutes() * 60 + now.getUTCSeconds();
}
