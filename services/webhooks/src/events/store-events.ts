import { randomUUID } from 'node:crypto';
import type { Transaction } from '@bv/postgres';
import { insertEvents, type NewDelivery, queueDeliveries } from '../db/deliveries.ts';
import type { PlannedEvent } from '../domain/scan-events.ts';

/** Stores events of an organisation, and queues their deliveries. An event that is stored already is ignored. */
export async function storeEvents(
  tx: Transaction,
  planned: readonly PlannedEvent[],
  { orgId, at }: { orgId: string; at: Date },
): Promise<void> {
  if (planned.length === 0) return;
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
