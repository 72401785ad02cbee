import { z } from 'zod';
import { Count, Timestamp, Uuid } from '../scalars.ts';
import { EventOrganisation } from '../webhook-events.ts';
import { ChangeConfidence, ChangeWindowDays, ChangeMetric } from './score-comparison.ts';

export const EndpointStatus = z
  .enum(['pending_verification', 'active', 'failing', 'disabled'])
  .meta({ id: 'WebhookEndpointStatus' });

const endpoint = {
  id: Uuid.describe('Id of the webhook endpoint.'),
  url: z.string().describe('URL that deliveries are sent to.'),
  status: EndpointStatus.describe(
    '`pending_verification` until a ping succeeds, `active`, `failing` after five days of failures or a response 410, or `disabled` by the operator. Only an `active` endpoint receives events.',
  ),
  description: z.string().describe('Your own text; empty if none was sent.'),
  consecutive_failures: Count.describe('Failed attempts since the last success, pings included.'),
  last_success_at: Timestamp.nullable().describe('When an attempt last succeeded; null if none has.'),
  last_failure_at: Timestamp.nullable().describe('When an attempt last failed; null if none has.'),
  events_secret_rotated_at: Timestamp.nullable().describe(
    'When the secret was last rotated; null if it was not.',
  ),
  created_at: Timestamp.describe('When the endpoint was created.'),
  updated_at: Timestamp.describe('When the endpoint last changed.'),
};

export const WebhookEndpoint = z.strictObject(endpoint).meta({ id: 'WebhookEndpoint' });
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

export const WebhookEndpointWithSecret = z
  .strictObject({
    ...endpoint,
    secret: z.string().describe('Signing secret: `whsec_` and base64 of 32 bytes. Shown once.'),
  })
  .meta({ id: 'WebhookEndpointWithSecret' });
export type WebhookEndpointWithSecret = z.infer<typeof WebhookEndpointWithSecret>;

/** Event types of subscriptions. `endpoint.ping` needs no subscription. */
export const subscribableEvents = [
  'scan.completed',
  'score.threshold_crossed',
  'sentiment.threshold_crossed',
  'score.changed',
  'experiment.completed',
] as const;
export const SubscribableEvent = z.enum(subscribableEvents).meta({ id: 'SubscribableEvent' });
export const ThresholdDirection = z.enum(['up', 'down', 'both']).meta({ id: 'ThresholdDirection' });

export const Subscription = z
  .strictObject({
    id: Uuid.describe('Id of the subscription.'),
    endpoint_id: Uuid.describe('Id of the webhook endpoint.'),
    event_type: SubscribableEvent.describe('Type of the events that are sent.'),
    org_id: Uuid.nullable().describe('Only events of this organisation; null for every linked organisation.'),
    brand_id: Uuid.nullable().describe('Only events of this own brand; null for every own brand.'),
    threshold: z
      .number()
      .nullable()
      .describe('Value of 0 to 100 whose crossing is an event; null for other event types.'),
    direction: ThresholdDirection.nullable().describe(
      'Crossings that are sent: `up` to the threshold or above, `down` below it, or `both`. null for other event types.',
    ),
    country: z
      .string()
      .nullable()
      .describe(
        'Only the series of this market. null for the series over all markets, and for `scan.completed`.',
      ),
    metric: ChangeMetric.nullable()
      .describe('Figure of `score.changed`; null for other event types.')
      .meta({ examples: ['score'] }),
    window_days: ChangeWindowDays.nullable()
      .describe('Days of each window of `score.changed`, 7 or 28; null for other event types.')
      .meta({ examples: [7] }),
    confidence: ChangeConfidence.nullable()
      .describe(
        'Least confidence of a change for `score.changed`, as in the request; null for other event types.',
      )
      .meta({ examples: [0.9999] }),
    created_at: Timestamp.describe('When the subscription was created.'),
    updated_at: Timestamp.describe('When the subscription last changed.'),
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

/** The body of an event of any type, also of types that this version does not know. */
const DeliveredEvent = z
  .strictObject({
    id: z.string().describe('Id of the event, equal to `event_id`.'),
    type: z.string().describe('Type of the event.'),
    api_version: z.string().describe('Version of the API that the body follows.'),
    timestamp: Timestamp.describe('When the event was created.'),
    org: EventOrganisation.nullable().describe('Organisation of the event; null for a ping.'),
    data: z
      .looseObject({})
      .meta({ id: 'DeliveredEventData' })
      .describe('Content of the event. Each type has its own fields.'),
  })
  .meta({ id: 'DeliveredEvent' });

export const Delivery = z
  .strictObject({
    id: Uuid.describe('Id of the delivery.'),
    event_id: z.string().describe('Id of the event, which is the header `webhook-id` of every attempt.'),
    event_type: z.string().describe('Type of the event.'),
    endpoint_id: Uuid.describe('Id of the webhook endpoint.'),
    subscription_id: Uuid.nullable().describe(
      'Id of the subscription; null for a ping, and after the subscription was deleted.',
    ),
    status: DeliveryStatus.describe(
      '`pending`: waits for an attempt. `delivering`: an attempt is in progress. `succeeded`: the receiver returned 2xx. `dead`: no attempt is left.',
    ),
    attempts: Count.describe('Attempts made so far, those before a replay included.'),
    next_attempt_at: Timestamp.nullable().describe('When the next attempt is due; null when none is.'),
    last_status_code: z
      .int()
      .nullable()
      .describe('HTTP status of the last attempt; null without a response.'),
    last_duration_ms: Count.nullable().describe(
      'Milliseconds that the last attempt took; null before the first.',
    ),
    last_error: DeliveryError.nullable().describe(
      'Why the last attempt failed; null after a success. `dns_failure`: no address. `address_not_public`: an address is private. `connect_failed`: no connection, or no valid HTTP. `tls_failed`: no valid certificate. `timeout`: 5 s to connect, 15 s in all. `response_too_large`: over 16 KiB. `http_status`: not 2xx.',
    ),
    last_response_snippet: z
      .string()
      .nullable()
      .describe(
        "First 1,024 bytes of the receiver's last response, without control characters; null without one.",
      ),
    created_at: Timestamp.describe('When the event was queued for the endpoint.'),
    updated_at: Timestamp.describe('When the delivery last changed.'),
    event: DeliveredEvent.nullable()
      .optional()
      .describe(
        'Body of the event as it is sent; only with `include=event`. null if it is no longer kept, or if its organisation is no longer linked.',
      ),
  })
  .meta({ id: 'Delivery' });
export type Delivery = z.infer<typeof Delivery>;

export const DeliveryRecovery = z
  .strictObject({
    replayed: Count.describe('Deliveries that this request has queued again.').meta({ examples: [42] }),
  })
  .meta({ id: 'DeliveryRecovery' });
export type DeliveryRecovery = z.infer<typeof DeliveryRecovery>;
