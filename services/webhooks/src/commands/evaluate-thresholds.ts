import type { Transaction } from '@bv/postgres';
import { lockThresholdStates, updateThresholdStates } from '../db/threshold-states.ts';
import { type Crossings, type MatchingSubscription, toThresholdKey } from '../domain/scan-events.ts';
import type { ScoredScan } from '../domain/scored-scan.ts';
import { evaluateThreshold, toThresholdText } from '../domain/thresholds.ts';

/**
 * Evaluates every threshold of the subscriptions once, independent of their directions, and stores the sides. Row locks
 * and the change token of the brand make redelivered, concurrent and late messages harmless.
 */
export async function evaluateThresholds(
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
