import { createHash } from 'node:crypto';

/** The last hour of the day stays free, so that neither the pause between two looks nor a short outage loses a day. */
const slots = 23 * 3_600;

/** The second of the UTC day at which a brand is scanned: the same every day, and brands spread over the day. */
export function slotSecond(brandId: string): number {
  return createHash('sha256').update(brandId).digest().readUInt32BE(0) % slots;
}

export function secondOfDay(now: Date): number {
  return now.getUTCHours() * 3_600 + now.getUTCMinutes() * 60 + now.getUTCSeconds();
}
