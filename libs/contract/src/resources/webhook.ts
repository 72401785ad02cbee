import { z } from 'zod';
import { Count, Timestamp, Uuid } from '../scalars.ts';
import { ChangeConfidence, ChangeWindowDays, ComparedMetric } from './score-comparison.ts';

export const EndpointStatus = z
  .enum(['pending_verification', 'active', 'failing', 'disabled'])
  .meta({ id: 'WebhookEndpointStatus' });

const endpoint = {
  id: Uuid,
  url: z.string(),
  status: EndpointStatus,
  description: z.string(),
  consecutive_failures: Count,
  last_success_at: Timestamp.nullable(),
  last_failure_at: Timestamp.nullable(),
  events_secret_rotated_at: Timestamp.nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
};

export const WebhookEndpoint = z.strictObject(endpoint).meta({ id: 'WebhookEndpoint' });
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

export const WebhookEndpointWithSecret = z
  .strictObject({ ...endpoint, secret: z.string().describe('whsec_ and base64 of 32 bytes; shown once.') })
  .meta({ id: 'WebhookEndpointWithSecret' });
export type WebhookEndpointWithSecret = z.infer<typeof WebhookEndpointWithSecret>;

/** Event types of subscriptions. `endpoint.ping` needs no subscription. */
export const subscribableEvents = [
  'scan.completed',
  'score.threshold_crossed',
  'sentiment.threshold_crossed',
  'score.changed',
] as const;
export const SubscribableEvent = z.enum(subscribableEvents).meta({ id: 'SubscribableEvent' });
export const ThresholdDirection = z.enum(['up', 'down', 'both']).meta({ id: 'ThresholdDirection' });

export const Subscription = z
  .strictObject({
    id: Uuid,
    endpoint_id: Uuid,
    event_type: SubscribableEvent,
    org_id: Uuid.nullable().describe('null: every linked organisation.'),
    brand_id: Uuid.nullable(),
    threshold: z.number().nullable(),
    direction: ThresholdDirection.nullable(),
    country: z.string().nullable(),
    metric: ComparedMetric.nullable()
      .describe('Figure of `score.changed`; null for other event types.')
      .meta({ examples: ['score'] }),
    window_days: ChangeWindowDays.nullable()
      .describe('Days of each window of `score.changed`; null for other event types.')
      .meta({ examples: [7] }),
    confidence: ChangeConfidence.nullable()
      .describe('Least confidence of a change for `score.changed`; null for other event types.')
      .meta({ examples: [0.9999] }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Subscription' });
export type Subscription = z.infer<typeof Subscription>;

export const DeliveryStatus = z
  .enum(['pending', 'delivering', 'succeeded', 'dead'])
  .meta({ id: 'DeliveryStatus' });

/** Every reason for a failed attempt, instead of the text of a socket error. */
export const deliveryErrors = [
  'dns_failure',
  'address_not_public',
  'connect_failed',
  'tls_failed',
  'timeout',
  'response_too_large',
  'http_status',
] as const;
export const DeliveryError = z.enum(deliveryErrors).meta({ id: 'DeliveryError' });

export const Delivery = z
  .strictObject({
    id: Uuid,
    event_id: z.string(),
    event_type: z.string(),
    endpoint_id: Uuid,
    subscription_id: Uuid.nullable(),
    status: DeliveryStatus,
    attempts: Count,
    next_attempt_at: Timestamp.nullable(),
    last_status_code: z.int().nullable(),
    last_duration_ms: Count.nullable(),
    last_error: DeliveryError.nullable(),
    last_response_snippet: z.string().nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Delivery' });
export type Delivery = z.infer<typeof Delivery>;

export const DeliveryRecovery = z
  .strictObject({
    replayed: Count.describe('Deliveries that this request has queued again.').meta({ examples: [42] }),
  })
  .meta({ id: 'DeliveryRecovery' });
export type DeliveryRecovery = z.infer<typeof DeliveryRecovery>;
