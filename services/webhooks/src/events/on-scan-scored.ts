import { randomUUID } from 'node:crypto';
import type { TypedEnvelope, scanScored } from '@bv/events';
import type { Transaction } from '@bv/postgres';
import type { Clock } from '../context.ts';
import { insertEvents, type NewDelivery, queueDeliveries } from '../db/deliveries.ts';
import { listMatchingSubscriptions } from '../db/subscriptions.ts';
import { lockThresholdStates, updateThresholdStates } from '../db/threshold-states.ts';
import {
  type Crossings,
  type MatchingSubscription,
  planScanEvents,
  toThresholdKey,
} from '../domain/scan-events.ts';
import type { ScoredScan } from '../domain/scored-scan.ts';
import { evaluateThreshold, toThresholdText } from '../domain/thresholds.ts';

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

/**
 * Evaluates every threshold of the subscriptions once, independent of their directions, and stores the sides. Row locks
 * and the change token of the brand make redelivered, concurrent and late messages harmless.
 */
async function evaluateThresholds(
  tx: Transaction,
  scan: ScoredScan,
  matches: readonly MatchingSubscription[],
  at: Date,
): Promise<Crossings> {
  const keys = matches.map(toThresholdKey).filter((key) => key !== null);
  if (keys.length === 0) return new Map();
  const distinct = [...new Map(keys.map((key) => [toThresholdText(key), key])).values()];
  const evaluation = { brandId: scan.brand_id, changeToken: scan.changed_at, at };
  const states = await lockThresholdStates(tx, distinct, evaluation);
  const results = states
    .map((state) => evaluateThreshold(scan, state))
    .filter((result) => result !== undefined);
  await updateThresholdStates(
    tx,
    results.map(({ evaluated }) => evaluated),
    evaluation,
  );
  return new Map(
    results.flatMap(({ evaluated, crossing }) =>
      crossing === null ? [] : [[toThresholdText(evaluated), crossing]],
    ),
  );
}
