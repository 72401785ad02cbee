import { randomUUID } from 'node:crypto';
import type { experimentCompleted, TypedEnvelope } from '@bv/events';
import type { Transaction } from '@bv/postgres';
import type { Clock } from '../context.ts';
import { listMatchingSubscriptions } from '../db/subscriptions.ts';
import { type Occurrence, planEvents } from '../domain/scan-events.ts';
import { storeEvents } from './store-events.ts';

/** Inserts the event of a completed experiment for each partner that asked for it. */
export async function onExperimentCompleted(
  tx: Transaction,
  { data, time }: TypedEnvelope<typeof experimentCompleted>,
  now: Clock,
): Promise<void> {
  const { org_id: orgId, brand_id: brandId, brand, experiment } = data;
  const type = 'experiment.completed';
  const occurrence: Occurrence = {
    type,
    dedupeKey: `${type}:${experiment.id}`,
    data: { brand, experiment },
  };
  const matches = await listMatchingSubscriptions(tx, { orgId, brandId });
  const planned = planEvents(orgId, matches, {
    timestamp: time,
    newId: randomUUID,
    toOccurrence: (match) => (match.eventType === type ? occurrence : null),
  });
  await storeEvents(tx, planned, { orgId, at: now() });
}
