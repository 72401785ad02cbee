import type { ScoreComparison, Subscription } from '@bv/contract';
import type { MatchingSubscription } from './scan-events.ts';
import type { FoundChange, ScoredScan } from './scored-scan.ts';

/** All subscriptions of an endpoint to one series, metric and window share a state. */
export type ChangeKey = {
  endpointId: string;
  metric: ScoreComparison['metric'];
  country: string | null;
  windowDays: NonNullable<Subscription['window_days']>;
};

export const toChangeText = ({ endpointId, metric, country, windowDays }: ChangeKey): string =>
  [endpointId, metric, country ?? '', windowDays].join(' ');

/** Returns what a subscription to `score.changed` asks for. Null for other events. */
export function toChangeKey({
  eventType,
  endpointId,
  metric,
  country,
  windowDays,
}: MatchingSubscription): ChangeKey | null {
  if (eventType !== 'score.changed' || metric === null || windowDays === null) return null;
  return { endpointId, metric, country, windowDays };
}

/** Returns the change that the scan found for this series, metric and window. */
export function findChange(
  { comparisons = [] }: ScoredScan,
  { metric, country, windowDays }: ChangeKey,
): FoundChange | undefined {
  return comparisons.find(
    (found) => found.metric === metric && found.country === country && found.window_days === windowDays,
  );
}

/** Lists the changes that the scan found and that these subscriptions ask for, each once per endpoint. */
export function listFoundChanges(scan: ScoredScan, matches: readonly MatchingSubscription[]): ChangeKey[] {
  const keys = matches.map(toChangeKey).filter((key) => key !== null);
  const found = keys.filter((key) => findChange(scan, key) !== undefined);
  return [...new Map(found.map((key) => [toChangeText(key), key])).values()];
}
