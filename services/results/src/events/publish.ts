import { type EventData, publishEvent, resultsBrandChanged, scanScored } from '@bv/events';
import type { Transaction } from '@bv/postgres';

/** Publishes the new change token of a brand. Returns the id of the event. */
export function publishBrandChanged(
  tx: Transaction,
  change: { brandId: string; orgId: string; token: { changed_at: string; version: number } },
): Promise<string> {
  return publishEvent(tx, resultsBrandChanged, {
    aggregateId: change.brandId,
    version: change.token.version,
    data: { brand_id: change.brandId, org_id: change.orgId, changed_at: change.token.changed_at },
  });
}

/** Publishes that a scan is scored. The version is always 1, because a scan is scored once. */
export function publishScanScored(tx: Transaction, data: EventData<typeof scanScored>): Promise<string> {
  return publishEvent(tx, scanScored, { aggregateId: data.job_id, version: 1, data });
}
