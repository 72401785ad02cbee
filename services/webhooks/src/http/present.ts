import type { Delivery, DeliveryAttempt, Subscription, WebhookEndpoint } from '@bv/contract';
import type { DeliveryRow } from '../db/deliveries.ts';
import type { EndpointRow } from '../db/endpoints.ts';
import type { AttemptRow } from '../db/operator-reads.ts';
import type { SubscriptionRow } from '../db/subscriptions.ts';

export function presentEndpoint(row: EndpointRow): WebhookEndpoint {
  return {
    id: row.id,
    url: row.url,
    status: row.status,
    description: row.description,
    consecutive_failures: row.consecutive_failures,
    last_success_at: wireTimeOrNull(row.last_success_at),
    last_failure_at: wireTimeOrNull(row.last_failure_at),
    events_secret_rotated_at: wireTimeOrNull(row.secret_rotated_at),
    created_at: wireTime(row.created_at),
    updated_at: wireTime(row.updated_at),
  };
}

export function presentSubscription(row: SubscriptionRow): Subscription {
  return {
    id: row.id,
    endpoint_id: row.endpoint_id,
    event_type: row.event_type as Subscription['event_type'],
    org_id: row.org_id,
    brand_id: row.brand_id,
    threshold: row.threshold,
    direction: row.direction,
    country: row.country,
    metric: row.metric,
    window_days: row.window_days,
    confidence: row.confidence,
    created_at: wireTime(row.created_at),
    updated_at: wireTime(row.updated_at),
  };
}

export function presentDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    event_id: row.event_id,
    event_type: row.event_type,
    endpoint_id: row.endpoint_id,
    subscription_id: row.subscription_id,
    status: row.status,
    attempts: row.attempts,
    next_attempt_at: wireTimeOrNull(row.next_attempt_at),
    last_status_code: row.last_status_code,
    last_duration_ms: row.last_duration_ms,
    last_error: row.last_error as Delivery['last_error'],
    last_response_snippet: row.last_response_snippet,
    created_at: wireTime(row.created_at),
    updated_at: wireTime(row.updated_at),
  };
}

/** With the event that was sent: `body` is its JSON. */
export function presentDeliveryWithEvent(row: DeliveryRow, body: string | undefined): Delivery {
  const event = body === undefined ? null : (JSON.parse(body) as NonNullable<Delivery['event']>);
  return { ...presentDelivery(row), event };
}

export function presentAttempt({ started_at, finished_at, ...attempt }: AttemptRow): DeliveryAttempt {
  return { ...attempt, started_at: wireTime(started_at), finished_at: wireTimeOrNull(finished_at) };
}

/** Times have milliseconds in responses. The sort tuples of cursors keep the microseconds. */
export function wireTime(text: string): string {
  return new Date(text).toISOString();
}

function wireTimeOrNull(text: string | null): string | null {
  return text === null ? null : wireTime(text);
}
