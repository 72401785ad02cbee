import { randomUUID } from 'node:crypto';
import type { Transaction } from '@bv/postgres';
import { insertEvents, queueDeliveries } from '../db/deliveries.ts';
import { eventBody } from '../domain/scan-events.ts';

/** Queues a ping for an endpoint that the transaction has locked. Returns the id of the delivery. */
export async function sendPing(
  tx: Transaction,
  endpoint: { id: string; partner_id: string },
  at: Date,
): Promise<string> {
  const eventId = randomUUID();
  const deliveryId = randomUUID();
  const type = 'endpoint.ping' as const;
  const timestamp = at.toISOString();
  const body = eventBody(type, { id: eventId, timestamp, org: null, data: { endpoint_id: endpoint.id } });
  const owner = { partnerId: endpoint.partner_id, orgId: null };
  await insertEvents(tx, [{ id: eventId, ...owner, type, dedupeKey: `${type}:${eventId}`, body }], at);
  const target = { eventId, endpointId: endpoint.id, subscriptionId: null };
  await queueDeliveries(tx, [{ id: deliveryId, ...target, ...owner, eventType: type, isPing: true }], at);
  return deliveryId;
}
