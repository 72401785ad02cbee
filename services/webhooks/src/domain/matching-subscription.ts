import type { ScoreComparison, Subscription } from '@bv/contract';

/** A subscription that matches the scan, with the external reference of the organisation at the partner. */
export type MatchingSubscription = {
  subscriptionId: string;
  endpointId: string;
  partnerId: string;
  externalRef: string | null;
  eventType: string;
  threshold: number | null;
  direction: 'up' | 'down' | 'both' | null;
  country: string | null;
  metric: ScoreComparison['metric'] | null;
  windowDays: NonNullable<Subscription['window_days']> | null;
  confidence: number | null;
};
