import { randomUUID } from 'node:crypto';
import type { TypedEnvelope, scanScored } from '@bv/events';
import type { Transaction } from '@bv/postgres';
import { evaluateThresholds } from '../commands/evaluate-thresholds.ts';
import type { Clock } from '../context.ts';
import { insertEvents, type NewDelivery, queueDeliveries } from '../db/deliveries.ts';
import { listMatchingSubscriptions } from '../db/subscriptions.ts';
import { planScanEvents } from '../domain/scan-events.ts';

/**
 * Inserts the events of a scored scan, with one delivery per matching endpoint. Needs four statements independent of
 * their number, and two more when subscriptions have thresholds.
 */
export async function onScanScored(
  tx: Transaction,
  { data, time }: TypedEnvelope<typeof scanScored>,
  now: Clock,
): Promise<void> {
  const matches = await listMatchingSubscriptions(tx, { orgId: data.org_id, brandId: data.brand_id });
  const at = now();
  const crossings = await evaluateThresholds(tx, data, matches, at);
  const planned = planScanEvents(data, matches, crossings, { timestamp: time, newId: randomUUID });
  if (planned.length === 0) return;
  const orgId = data.org_id;
  const inserted = await insertEvents(
    tx,
    planned.map(({ id, partnerId, type, dedupeKey, body }) => ({
      id,
      partnerId,
      orgId,
      type,
      dedupeKey,
      body,
    })),
    at,
  );
  const deliveries = planned
    .filter(({ id }) => inserted.has(id))
    .flatMap(({ id, partnerId, type, deliveries: targets }) =>
      targets.map((target): NewDelivery => ({
        id: randomUUID(),
        eventId: id,
        ...target,
        partnerId,
        orgId,
        eventType: type,
        isPing: false,
      })),
    );
  if (deliveries.length > 0) await queueDeliveries(tx, deliveries, at);
}
