import type { ScoreComparison, Subscription } from '@bv/contract';
import type { MatchingSubscription } from './matching-subscription.ts';
import type { FoundChange, ScoredScan } from './scored-scan.ts';

/** All subscriptions of an endpoint to one series, metric and window share a state, whatever their confidence. */
export type ChangeKey = {
  endpointId: string;
  metric: ScoreComparison['metric'];
  country: string | null;
  windowDays: NonNullable<Subscription['window_days']>;
};

export const toChangeText = ({ endpointId, metric, country, windowDays }: ChangeKey): string =>
  [endpointId, metric, country ?? '', windowDays].join(' ');

/** What a subscription asks for: a change of a series with at least this confidence. */
export type RequestedChange = ChangeKey & { confidence: number };

/** Returns what a subscription to `score.changed` asks for. Null for other events. */
export function toRequestedChange({
  eventType,
  endpointId,
  metric,
  country,
  windowDays,
  confidence,
}: MatchingSubscription): RequestedChange | null {
  if (eventType !== 'score.changed' || metric === null || windowDays === null || confidence === null)
    return null;
  return { endpointId, metric, country, windowDays, confidence };
}

/** Returns the change that the scan found for this series, metric and window with at least the confidence. */
export function findChange(
  { comparisons = [] }: ScoredScan,
  { metric, country, windowDays, confidence }: RequestedChange,
): FoundChange | undefined {
  return comparisons.find(
    (found) =>
      found.metric === metric &&
      found.country === country &&
      found.window_days === windowDays &&
      found.highest_confidence >= confidence,
  );
}

/** Lists the changes that the scan found and that these subscriptions ask for, each once per endpoint. */
export function listFoundChanges(scan: ScoredScan, matches: readonly MatchingSubscription[]): ChangeKey[] {
  const requested = matches.map(toRequestedChange).filter((change) => change !== null);
  const found = requested.filter((change) => findChange(scan, change) !== undefined);
  return [...new Map(found.map((key) => [toChangeText(key), key])).values()];
}
