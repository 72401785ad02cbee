import type { WebhookEvent, WebhookEventType } from '@bv/contract';
import { webhookEvents } from '@bv/contract';

type CompletedData = WebhookEvent<'scan.completed'>['data'];
type Measures = Pick<CompletedData, 'score' | 'sentiment' | 'share_of_voice'>;

/** A scan as results has scored it: a series per market and, under `country: null`, the one over all markets. */
export type ScoredScan = Omit<CompletedData, keyof Measures | 'last_scan_changed_at'> & {
  org_id: string;
  brand_id: string;
  changed_at: string;
  series: (Measures & { country: string | null })[];
};
type Series = ScoredScan['series'][number];

/** A subscription that the scan's organisation and brand fall under, with what its partner calls the organisation. */
export type Match = {
  subscriptionId: string;
  endpointId: string;
  partnerId: string;
  externalRef: string | null;
  eventType: string;
  threshold: number | null;
  direction: 'up' | 'down' | 'both' | null;
  country: string | null;
};

/** One event of one partner and the endpoints that get it. */
export type PlannedEvent = {
  id: string;
  partnerId: string;
  type: WebhookEventType;
  dedupeKey: string;
  body: string;
  deliveries: { endpointId: string; subscriptionId: string }[];
};

type Occurrence = { type: WebhookEventType; dedupeKey: string; data: unknown };

/** The events that a scored scan means for the given subscriptions, one per partner and occurrence. */
export function planScanEvents(
  scan: ScoredScan,
  matches: readonly Match[],
  context: { timestamp: string; newId: () => string },
): PlannedEvent[] {
  const planned = new Map<string, PlannedEvent>();
  for (const match of matches) {
    const occurrence = occurrenceFor(scan, match);
    if (occurrence === null) continue;
    const key = `${match.partnerId} ${occurrence.dedupeKey}`;
    const event = planned.get(key) ?? planEvent(scan, match, occurrence, context);
    planned.set(key, event);
    const delivery = { endpointId: match.endpointId, subscriptionId: match.subscriptionId };
    if (!event.deliveries.some(({ endpointId }) => endpointId === match.endpointId))
      event.deliveries.push(delivery);
  }
  return [...planned.values()];
}

function planEvent(
  scan: ScoredScan,
  match: Match,
  { type, dedupeKey, data }: Occurrence,
  context: { timestamp: string; newId: () => string },
): PlannedEvent {
  const id = context.newId();
  const org = { id: scan.org_id, external_ref: match.externalRef };
  const body = eventBody(type, { id, timestamp: context.timestamp, org, data });
  return { id, partnerId: match.partnerId, type, dedupeKey, body, deliveries: [] };
}

/** The bytes of an event, checked against its public schema. */
export function eventBody<T extends WebhookEventType>(
  type: T,
  parts: { id: string; timestamp: string; org: WebhookEvent<T>['org']; data: unknown },
): string {
  const { id, timestamp, org, data } = parts;
  return JSON.stringify(webhookEvents[type].parse({ id, type, api_version: '1.0.0', timestamp, org, data }));
}

function occurrenceFor(scan: ScoredScan, match: Match): Occurrence | null {
  switch (match.eventType) {
    case 'scan.completed':
      return {
        type: 'scan.completed',
        dedupeKey: `scan.completed:${scan.job_id}`,
        data: completedData(scan),
      };
    case 'score.threshold_crossed':
      return crossing(scan, match, 'score');
    case 'sentiment.threshold_crossed':
      return crossing(scan, match, 'sentiment');
    default:
      return null;
  }
}

function completedData(scan: ScoredScan) {
  const all = scan.series.find(({ country }) => country === null);
  const nothing = { value: null, previous: null, change: null };
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
    score: all?.score ?? nothing,
    sentiment: all?.sentiment ?? nothing,
    share_of_voice: all?.share_of_voice ?? null,
    last_scan_changed_at: scan.changed_at,
  };
}

/**
 * A crossing of the subscription's threshold in its series, if this scan made one. A second scan of the day compares
 * with the same earlier day, so the day and not the job makes the crossing one.
 */
function crossing(scan: ScoredScan, match: Match, metric: 'score' | 'sentiment'): Occurrence | null {
  const series = scan.series.find(({ country }) => country === match.country);
  const { threshold } = match;
  if (series === undefined || threshold === null) return null;
  const { value: current, previous } = series[metric];
  if (current === null || previous === null) return null;
  const direction = crossedDirection(previous, current, threshold);
  if (direction === null || (match.direction !== 'both' && match.direction !== direction)) return null;
  const type = `${metric}.threshold_crossed` as const;
  return {
    type,
    dedupeKey: [type, scan.brand_id, match.country ?? '', scan.run_date, threshold, direction].join(':'),
    data: {
      brand: scan.brand,
      metric,
      country: match.country,
      threshold,
      direction,
      previous,
      current,
      change: changeOf(series, metric, current - previous),
      run_date: scan.run_date,
      job_id: scan.job_id,
    },
  };
}

/** Up: previous < T <= current. Down: previous >= T > current. */
export function crossedDirection(previous: number, current: number, threshold: number): 'up' | 'down' | null {
  if (previous < threshold && current >= threshold) return 'up';
  if (previous >= threshold && current < threshold) return 'down';
  return null;
}

function changeOf(series: Series, metric: 'score' | 'sentiment', difference: number): number {
  return series[metric].change ?? Math.round(difference * 100) / 100;
}
