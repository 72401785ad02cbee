import { randomUUID } from 'node:crypto';
import type { TypedEnvelope, scanScored } from '@bv/events';
import type { Transaction } from '@bv/postgres';
import type { Clock } from '../context.ts';
import { upsertChangeStates } from '../db/change-states.ts';
import { lockOwnBrand } from '../db/projections.ts';
import { listMatchingSubscriptions } from '../db/subscriptions.ts';
import { lockThresholdStates, updateThresholdStates } from '../db/threshold-states.ts';
import type { MatchingSubscription } from '../domain/matching-subscription.ts';
import { type Evaluated, planScanEvents, toThresholdKey } from '../domain/scan-events.ts';
import { listFoundChanges, toChangeText } from '../domain/score-changes.ts';
import type { ScoredScan } from '../domain/scored-scan.ts';
import { evaluateThreshold, toThresholdText } from '../domain/thresholds.ts';
import { storeEvents } from './store-events.ts';

/**
 * Inserts the events of a scored scan, with one delivery per matching endpoint. Needs four statements independent of
 * their number, three more when subscriptions have thresholds, and two more when the scan found changes they ask for.
 */
export async function onScanScored(
  tx: Transaction,
  { data, time }: TypedEnvelope<typeof scanScored>,
  now: Clock,
): Promise<void> {
  const matches = await listMatchingSubscriptions(tx, { orgId: data.org_id, brandId: data.brand_id });
  const at = now();
  const evaluated = {
    crossings: await evaluateThresholds(tx, data, matches, at),
    changes: await recordChanges(tx, data, matches, at),
  };
  const planned = planScanEvents(data, matches, evaluated, { timestamp: time, newId: randomUUID });
  await storeEvents(tx, planned, { orgId: data.org_id, at });
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
): Promise<Evaluated['crossings']> {
  const keys = matches.map(toThresholdKey).filter((key) => key !== null);
  if (keys.length === 0) return new Map();
  const distinct = [...new Map(keys.map((key) => [toThresholdText(key), key])).values()];
  const evaluation = { brandId: scan.brand_id, changeToken: scan.changed_at, at };
  await lockOwnBrand(tx, { id: scan.brand_id, orgId: scan.org_id });
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

/** Records the changes of which endpoints are notified. A change soon after the last one of its series is omitted. */
async function recordChanges(
  tx: Transaction,
  scan: ScoredScan,
  matches: readonly MatchingSubscription[],
  at: Date,
): Promise<Evaluated['changes']> {
  const keys = listFoundChanges(scan, matches);
  if (keys.length === 0) return new Set();
  const { brand_id: brandId, run_date: runDate } = scan;
  await lockOwnBrand(tx, { id: brandId, orgId: scan.org_id });
  const recorded = await upsertChangeStates(tx, keys, { brandId, runDate, at });
  return new Set(recorded.map(toChangeText));
}
