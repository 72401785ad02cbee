import type { WebhookEvent, WebhookEventType } from '@bv/contract';
import { webhookEvents } from '@bv/contract';
import type { MatchingSubscription } from './matching-subscription.ts';
import type { ScoredScan } from './scored-scan.ts';
import { findChange, type RequestedChange, toChangeText, toRequestedChange } from './score-changes.ts';
import { type Crossing, type Metric, type ThresholdKey, toThresholdText } from './thresholds.ts';

/** An event for one partner, and the endpoints that receive it. */
export type PlannedEvent = {
  id: string;
  partnerId: string;
  type: WebhookEventType;
  dedupeKey: string;
  body: string;
  deliveries: { endpointId: string; subscriptionId: string }[];
};

/** What the stored states say of a scan. */
export type Evaluated = {
  /** By the `toThresholdText` of their thresholds. */
  crossings: ReadonlyMap<string, Crossing>;
  /** The `toChangeText` of the changes of which endpoints are notified. */
  changes: ReadonlySet<string>;
};

/** What happened. Each partner has one event of it. */
export type Occurrence = { type: WebhookEventType; dedupeKey: string; data: unknown };

/** Plans the events of a scored scan for these subscriptions: one per partner and occurrence. */
export function planScanEvents(
  scan: ScoredScan,
  matches: readonly MatchingSubscription[],
  evaluated: Evaluated,
  event: NewEvent,
): PlannedEvent[] {
  const toOccurrence = (match: MatchingSubscription) => occurrenceFor(scan, match, evaluated);
  return planEvents(scan.org_id, matches, { ...event, toOccurrence });
}

type NewEvent = { timestamp: string; newId: () => string };
type EventPlan = NewEvent & { toOccurrence: (match: MatchingSubscription) => Occurrence | null };

/** Plans what happened in an organisation for these subscriptions: one event per partner and occurrence. */
export function planEvents(
  orgId: string,
  matches: readonly MatchingSubscription[],
  plan: EventPlan,
): PlannedEvent[] {
  const planned = new Map<string, PlannedEvent>();
  for (const match of matches) {
    const occurrence = plan.toOccurrence(match);
    if (occurrence === null) continue;
    const key = `${match.partnerId} ${occurrence.dedupeKey}`;
    const event = planned.get(key) ?? planEvent(orgId, match, occurrence, plan);
    planned.set(key, event);
    const delivery = { endpointId: match.endpointId, subscriptionId: match.subscriptionId };
    if (!event.deliveries.some(({ endpointId }) => endpointId === match.endpointId))
      event.deliveries.push(delivery);
  }
  return [...planned.values()];
}

function planEvent(
  orgId: string,
  match: MatchingSubscription,
  { type, dedupeKey, data }: Occurrence,
  { timestamp, newId }: NewEvent,
): PlannedEvent {
  const id = newId();
  const org = { id: orgId, external_ref: match.externalRef };
  const body = eventBody(type, { id, timestamp, org, data });
  return { id, partnerId: match.partnerId, type, dedupeKey, body, deliveries: [] };
}

/** Returns the JSON of an event, validated with its public schema. */
export function eventBody<T extends WebhookEventType>(
  type: T,
  parts: { id: string; timestamp: string; org: WebhookEvent<T>['org']; data: unknown },
): string {
  const { id, timestamp, org, data } = parts;
  return JSON.stringify(webhookEvents[type].parse({ id, type, api_version: '1.0.0', timestamp, org, data }));
}

function occurrenceFor(
  scan: ScoredScan,
  match: MatchingSubscription,
  { crossings, changes }: Evaluated,
): Occurrence | null {
  if (match.eventType === 'scan.completed') {
    return {
      type: 'scan.completed',
      dedupeKey: `scan.completed:${scan.job_id}`,
      data: completedData(scan),
    };
  }
  const change = toRequestedChange(match);
  if (change !== null) return changes.has(toChangeText(change)) ? changeOccurrence(scan, change) : null;
  const key = toThresholdKey(match);
  const crossing = key === null ? undefined : crossings.get(toThresholdText(key));
  if (key === null || crossing === undefined) return null;
  const isRequested = match.direction === 'both' || match.direction === crossing.direction;
  return isRequested ? crossingOccurrence(scan, key, crossing) : null;
}

const metrics: Record<string, Metric> = {
  'score.threshold_crossed': 'score',
  'sentiment.threshold_crossed': 'sentiment',
};

/** Returns the threshold of a subscription. Null for other events. */
export function toThresholdKey({
  partnerId,
  eventType,
  country,
  threshold,
}: MatchingSubscription): ThresholdKey | null {
  const metric = metrics[eventType];
  return metric === undefined || threshold === null ? null : { partnerId, metric, country, threshold };
}

function completedData(scan: ScoredScan) {
  const all = scan.series.find(({ country }) => country === null);
  const noValue = { value: null, previous: null, change: null };
  return {
    job_id: scan.job_id,
    brand: scan.brand,
    trigger: scan.trigger,
    status: scan.status,
    run_date: scan.run_date,
    queued_at: scan.queued_at,
    started_at: scan.started_at,
    completed_at: scan.completed_at,
    units: scan.units,
    platforms: scan.platforms,
    countries: scan.countries,
    score: all?.score ?? noValue,
    sentiment: all?.sentiment ?? noValue,
    share_of_voice: all?.share_of_voice ?? null,
    change_verdict: all?.change_verdict ?? null,
    last_scan_changed_at: scan.changed_at,
  };
}

function changeOccurrence(scan: ScoredScan, requested: RequestedChange): Occurrence | null {
  const found = findChange(scan, requested);
  if (found === undefined) return null;
  const { window_days: windowDays, highest_confidence: _, ...comparison } = found;
  const type = 'score.changed';
  return {
    type,
    dedupeKey: [type, scan.brand_id, found.metric, found.country ?? '', windowDays, scan.run_date].join(':'),
    data: { brand: scan.brand, ...comparison, job_id: scan.job_id },
  };
}

function crossingOccurrence(
  scan: ScoredScan,
  { metric, country, threshold }: ThresholdKey,
  { direction, previous, current, runDate }: Crossing,
): Occurrence {
  const type = `${metric}.threshold_crossed` as const;
  return {
    type,
    dedupeKey: [type, scan.brand_id, country ?? '', threshold, direction, scan.job_id].join(':'),
    data: {
      brand: scan.brand,
      metric,
      country,
      threshold,
      direction,
      previous,
      current,
      change: Math.round((current - previous) * 100) / 100,
      run_date: runDate,
      job_id: scan.job_id,
    },
  };
}
