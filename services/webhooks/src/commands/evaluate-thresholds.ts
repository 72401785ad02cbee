import type { Transaction } from '@bv/postgres';
import { lockThresholdStates, updateThresholdStates } from '../db/threshold-states.ts';
import { type Crossings, type Match, thresholdOf } from '../domain/scan-events.ts';
import type { ScoredScan } from '../domain/scored-scan.ts';
import { evaluateThreshold, thresholdText } from '../domain/thresholds.ts';

/**
 * Evaluates every threshold of the subscriptions once, whatever their directions, and stores the sides. The row locks
 * and the brand's change token make redelivered, concurrent and late messages harmless.
 */
export async function evaluateThresholds(
  tx: Transaction,
  scan: ScoredScan,
  matches: readonly Match[],
  at: Date,
): Promise<Crossings> {
  const keys = matches.map(thresholdOf).filter((key) => key !== null);
  if (keys.length === 0) return new Map();
  const distinct = [...new Map(keys.map((key) => [thresholdText(key), key])).values()];
  const evaluation = { brandId: scan.brand_id, changeToken: scan.changed_at, at };
  const states = await lockThresholdStates(tx, distinct, evaluation);
  const results = states.map((state) => evaluateThreshold(scan, state)).filter((one) => one !== undefined);
  await updateThresholdStates(
    tx,
    results.map(({ evaluated }) => evaluated),
    evaluation,
  );
  return new Map(
    results.flatMap(({ evaluated, crossing }) =>
      crossing === null ? [] : [[thresholdText(evaluated), crossing]],
    ),
  );
}
