import { createHash } from 'node:crypto';

/** The last hour of the day has no slots, so that the schedule interval or a short outage skips no day. */
const slots = 23 * 3_600;

/** The second of the UTC day at which a brand is scanned: stable for a brand, uniform over brands. */
export function slotSecond(brandId: string): number {
  return createHash('sha256').update(brandId).digest().readUInt32BE(0) % slots;
}

export function secondOfDay(now: Date): number {
  return now.getUTCHours() * 3_600 + now.getUTCMinutes() * 60 + now.getUTCSeconds();
}
