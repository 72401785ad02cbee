import { type EventData, publishEvent, resultsBrandChanged, scanScored } from '@bv/events';
import type { Transaction } from '@bv/postgres';
import { moveBrandToken } from '../db/brands.ts';
import type { KeptDays } from '../domain/retention.ts';

/** The version of a brand's change token, and the id of the event that publishes it. */
export type TokenEvent = { version: number; eventId: string };
/** The last token event of each brand. */
export type TokenEvents = Map<string, TokenEvent>;

/** Moves the change token of a brand, which locks its row, and publishes the new token. */
export async function changeBrandToken(
  tx: Transaction,
  brand: { id: string; orgId: string },
): Promise<TokenEvent & { changedAt: string; kept: KeptDays }> {
  const token = await moveBrandToken(tx, brand);
  const eventId = await publishBrandToken(tx, brand, token);
  return { version: token.version, changedAt: token.changed_at, kept: token, eventId };
}

/** Publishes a change token of a brand. Returns the id of the event. */
export function publishBrandToken(
  tx: Transaction,
  brand: { id: string; orgId: string },
  token: { changed_at: string; version: number },
): Promise<string> {
  return publishEvent(tx, resultsBrandChanged, {
    aggregateId: brand.id,
    version: token.version,
    data: { brand_id: brand.id, org_id: brand.orgId, changed_at: token.changed_at },
  });
}

/** Publishes that a scan is scored. The version is always 1, because a scan is scored once. */
export function publishScanScored(tx: Transaction, data: EventData<typeof scanScored>): Promise<string> {
  return publishEvent(tx, scanScored, { aggregateId: data.job_id, version: 1, data });
}
