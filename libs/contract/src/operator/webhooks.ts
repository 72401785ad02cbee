import { z } from 'zod';
import { operatorOperation } from '../operation.ts';
import { DeliveryListQuery } from '../operations/webhooks.ts';
import { noParams, noQuery, page, PageQuery, resourceId } from '../parameters.ts';
import { Delivery, DeliveryStatus, EndpointStatus, WebhookEndpoint } from '../resources/webhook.ts';
import { Count, Timestamp, Uuid } from '../scalars.ts';

const EndpointIdParams = z.object({ endpointId: resourceId('webhook endpoint') });

const partner = {
  partner_id: Uuid.describe('Id of the partner.'),
  partner_name: z.string().nullable().describe('Name of the partner; null if it is not known.'),
};
const organisation = {
  org_id: Uuid.nullable().describe('Id of the organisation; null for a ping.'),
  org_name: z
    .string()
    .nullable()
    .describe('Name of the organisation; null for a ping or if it is not known.'),
};

const endpoint = { ...WebhookEndpoint.shape, ...partner };

export const OperatorEndpoint = z.strictObject(endpoint).meta({ id: 'OperatorEndpoint' });
export type OperatorEndpoint = z.infer<typeof OperatorEndpoint>;

export const OperatorEndpointDetail = z
  .strictObject({
    ...endpoint,
    subscriptions: Count.describe('Subscriptions of the endpoint.'),
    pending_deliveries: Count.describe('Deliveries that wait for an attempt, counted up to 10,000.'),
  })
  .meta({ id: 'OperatorEndpointDetail' });

export const operatorListEndpoints = operatorOperation({
  id: 'operatorListEndpoints',
  service: 'webhooks',
  method: 'GET',
  path: '/webhook-endpoints',
  summary: 'List webhook endpoints by id',
  description:
    'Of all partners unless `partner_id` selects one. Deleted endpoints are omitted. Ordered by `id`.',
  params: noParams,
  query: z.object({
    ...page,
    partner_id: resourceId('partner').optional().describe('Only endpoints of this partner.'),
    status: EndpointStatus.optional()
      .describe('Only endpoints with this status.')
      .meta({ examples: ['failing'] }),
  }),
  body: null,
  success: { status: 200, kind: 'list', data: OperatorEndpoint },
});

export const operatorGetEndpoint = operatorOperation({
  id: 'operatorGetEndpoint',
  service: 'webhooks',
  method: 'GET',
  path: '/webhook-endpoints/{endpointId}',
  summary: 'Read a webhook endpoint',
  description: 'Its status, its partner, and how many subscriptions and waiting deliveries it has.',
  params: EndpointIdParams,
  query: noQuery,
  body: null,
  success: { status: 200, kind: 'item', data: OperatorEndpointDetail },
});

export const operatorDisableEndpoint = operatorOperation({
  id: 'operatorDisableEndpoint',
  service: 'webhooks',
  method: 'POST',
  path: '/webhook-endpoints/{endpointId}/disable',
  summary: 'Disable a webhook endpoint',
  description: 'Nothing is sent to it until it is enabled. The partner cannot change this status.',
  params: EndpointIdParams,
  query: noQuery,
  body: null,
  success: { status: 200, kind: 'item', data: WebhookEndpoint },
});

export const operatorEnableEndpoint = operatorOperation({
  id: 'operatorEnableEndpoint',
  service: 'webhooks',
  method: 'POST',
  path: '/webhook-endpoints/{endpointId}/enable',
  summary: 'Enable a disabled webhook endpoint; it is verified by a new ping',
  description:
    '`status` becomes `pending_verification` and a ping is sent. When the ping succeeds, waiting deliveries are sent.',
  params: EndpointIdParams,
  query: noQuery,
  body: null,
  success: { status: 200, kind: 'item', data: WebhookEndpoint },
});

const delivery = { ...Delivery.omit({ event: true }).shape, ...partner, ...organisation };

export const OperatorDelivery = z.strictObject(delivery).meta({ id: 'OperatorDelivery' });
export type OperatorDelivery = z.infer<typeof OperatorDelivery>;

export const DeliveryAttempt = z
  .strictObject({
    number: z.int().min(1).describe('Number of the attempt, from 1.'),
    outcome: z
      .enum(['running', 'succeeded', 'failed', 'unknown'])
      .describe('`unknown`: the dispatcher ended before it stored the outcome.'),
    error: z.string().nullable().describe('Reason of the failure; null for a success.'),
    status_code: z.int().nullable().describe('HTTP status of the receiver; null without a response.'),
    duration_ms: Count.nullable().describe('Milliseconds of the attempt.'),
    started_at: Timestamp.describe('When the attempt began.'),
    finished_at: Timestamp.nullable().describe('When it ended; null while it runs.'),
  })
  .meta({ id: 'DeliveryAttempt' });
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>;

export const OperatorDeliveryDetail = z
  .strictObject({
    ...delivery,
    endpoint_url: z.string().describe('URL of the endpoint.'),
    attempt_log: z.array(DeliveryAttempt).describe('The last 50 attempts, newest first.'),
  })
  .meta({ id: 'OperatorDeliveryDetail' });

export const operatorListEndpointDeliveries = operatorOperation({
  id: 'operatorListEndpointDeliveries',
  service: 'webhooks',
  method: 'GET',
  path: '/webhook-endpoints/{endpointId}/deliveries',
  summary: 'List the deliveries of a webhook endpoint, newest first',
  description:
    'One row per event and endpoint. Ordered by `created_at` and `id`, newest first. Deliveries are kept for 30 days.',
  params: EndpointIdParams,
  query: DeliveryListQuery,
  body: null,
  success: { status: 200, kind: 'list', data: OperatorDelivery },
});

export const operatorGetDelivery = operatorOperation({
  id: 'operatorGetDelivery',
  service: 'webhooks',
  method: 'GET',
  path: '/deliveries/{deliveryId}',
  summary: 'Read a delivery with its attempts',
  description: 'The event itself is read by operatorGetWebhookEvent with `event_id`.',
  params: z.object({ deliveryId: resourceId('delivery') }),
  query: noQuery,
  body: null,
  success: { status: 200, kind: 'item', data: OperatorDeliveryDetail },
});

const webhookEvent = {
  id: Uuid.describe('Id of the event, the `webhook-id` header of its deliveries.'),
  type: z.string().describe('Type of the event.'),
  ...partner,
  ...organisation,
  created_at: Timestamp.describe('When the event was created.'),
};

export const OperatorWebhookEvent = z.strictObject(webhookEvent).meta({ id: 'OperatorWebhookEvent' });
export type OperatorWebhookEvent = z.infer<typeof OperatorWebhookEvent>;

export const OperatorWebhookEventDetail = z
  .strictObject({
    ...webhookEvent,
    body: z.unknown().describe('The body as it is sent to receivers.'),
    deliveries: z
      .array(
        z
          .strictObject({
            id: Uuid.describe('Id of the delivery.'),
            endpoint_id: Uuid.describe('Id of the webhook endpoint.'),
            status: DeliveryStatus.describe('Status of the delivery.'),
            attempts: Count.describe('Attempts so far.'),
          })
          .meta({ id: 'WebhookEventDelivery' }),
      )
      .describe('Its deliveries, at most one per endpoint of the partner.'),
  })
  .meta({ id: 'OperatorWebhookEventDetail' });

export const operatorListWebhookEvents = operatorOperation({
  id: 'operatorListWebhookEvents',
  service: 'webhooks',
  method: 'GET',
  path: '/webhook-events',
  summary: 'List the events of all partners, newest first',
  description:
    'Events that are sent to webhook endpoints, pings included, without their bodies. Ordered by `created_at` and `id`, newest first. Kept for 30 days.',
  params: noParams,
  query: PageQuery,
  body: null,
  success: { status: 200, kind: 'list', data: OperatorWebhookEvent },
});

export const operatorGetWebhookEvent = operatorOperation({
  id: 'operatorGetWebhookEvent',
  service: 'webhooks',
  method: 'GET',
  path: '/webhook-events/{webhookEventId}',
  summary: 'Read an event with its body and its deliveries',
  description: 'The body is the one that receivers get. Deliveries are ordered by `id`.',
  params: z.object({ webhookEventId: resourceId('webhook event') }),
  query: noQuery,
  body: null,
  success: { status: 200, kind: 'item', data: OperatorWebhookEventDetail },
});
