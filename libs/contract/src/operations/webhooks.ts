import { z } from 'zod';
import { operation } from '../operation.ts';
import { noParams, noQuery, page, PageQuery, resourceId } from '../parameters.ts';
import { Deleted } from '../resources/deleted.ts';
import {
  Delivery,
  DeliveryStatus,
  SubscribableEvent,
  Subscription,
  thresholdEvents,
  ThresholdDirection,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
} from '../resources/webhook.ts';
import { PathId, text } from '../scalars.ts';

/** A URL as sent. The service checks that it is public (`url_not_public`). */
const Url = text(1, 2048);
const Description = text(0, 500, { allowControl: true });
const EndpointParams = z.object({ endpointId: resourceId('webhook endpoint') });

const partner = { service: 'webhooks', partnerOnly: true } as const;

export const createWebhookEndpoint = operation({
  ...partner,
  id: 'createWebhookEndpoint',
  method: 'POST',
  path: '/webhook-endpoints',
  summary: 'Register a webhook endpoint; the response shows its secret once',
  params: noParams,
  query: noQuery,
  body: z.strictObject({ url: Url, description: Description.optional() }),
  success: { status: 201, kind: 'item', data: WebhookEndpointWithSecret },
  errors: ['conflict'],
});

export const listWebhookEndpoints = operation({
  ...partner,
  id: 'listWebhookEndpoints',
  method: 'GET',
  path: '/webhook-endpoints',
  summary: 'List webhook endpoints by id',
  params: noParams,
  query: PageQuery,
  body: null,
  success: { status: 200, kind: 'list', data: WebhookEndpoint },
});

export const updateWebhookEndpoint = operation({
  ...partner,
  id: 'updateWebhookEndpoint',
  method: 'PATCH',
  path: '/webhook-endpoints/{endpointId}',
  summary: 'Change the URL or the description of an endpoint',
  params: EndpointParams,
  query: noQuery,
  body: z
    .object({ url: Url.optional(), description: Description.optional() })
    .refine((patch) => patch.url !== undefined || patch.description !== undefined, {
      message: 'At least one of url, description is needed',
      params: { code: 'empty_patch' },
    })
    .meta({ minProperties: 1 }),
  success: { status: 200, kind: 'item', data: WebhookEndpoint },
});

export const deleteWebhookEndpoint = operation({
  ...partner,
  id: 'deleteWebhookEndpoint',
  method: 'DELETE',
  path: '/webhook-endpoints/{endpointId}',
  summary: 'Delete an endpoint with its subscriptions',
  params: EndpointParams,
  query: noQuery,
  body: null,
  success: { status: 200, kind: 'item', data: Deleted },
});

export const rotateWebhookSecret = operation({
  ...partner,
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: '/webhook-endpoints/{endpointId}/rotate-secret',
  summary: 'Issue a new secret; deliveries carry both signatures for 24 hours',
  params: EndpointParams,
  query: noQuery,
  body: null,
  success: { status: 200, kind: 'item', data: WebhookEndpointWithSecret },
});

export const testWebhookEndpoint = operation({
  ...partner,
  id: 'testWebhookEndpoint',
  method: 'POST',
  path: '/webhook-endpoints/{endpointId}/test',
  summary: 'Send a test ping to an endpoint',
  params: EndpointParams,
  query: noQuery,
  body: null,
  success: { status: 202, kind: 'item', data: Delivery },
  errors: ['endpoint_disabled'],
});

const isThresholdEvent = (type: string): boolean => (thresholdEvents as readonly string[]).includes(type);

const SubscriptionInput = z
  .strictObject({
    event_type: SubscribableEvent,
    org_id: PathId.nullable().optional(),
    brand_id: PathId.nullable().optional(),
    threshold: z
      .number()
      .min(0)
      .max(100)
      .optional()
      .describe(
        'Required for threshold events, rejected for others. A value equal to the threshold is above it.',
      ),
    direction: ThresholdDirection.optional().describe(
      'Selects the changes of side that are sent; both when omitted; threshold events only. The side is kept whatever the direction.',
    ),
    country: text(1, 256, { trim: true })
      .transform((token) => token.toUpperCase())
      .nullable()
      .optional(),
  })
  .superRefine((input, ctx) => {
    if (isThresholdEvent(input.event_type)) {
      if (input.threshold === undefined) {
        ctx.addIssue({ code: 'invalid_type', expected: 'number', input: undefined, path: ['threshold'] });
      }
      return;
    }
    for (const key of ['threshold', 'direction', 'country'] as const) {
      if (input[key] === undefined || input[key] === null) continue;
      ctx.addIssue({
        code: 'custom',
        path: [key],
        message: `${key} is for threshold events only`,
        params: { code: 'invalid_value' },
      });
    }
  });

export const createSubscription = operation({
  ...partner,
  id: 'createSubscription',
  method: 'POST',
  path: '/webhook-endpoints/{endpointId}/subscriptions',
  summary: 'Subscribe an endpoint to one event type',
  description:
    'The side of a threshold (above or below) is kept per partner, brand, series, metric and threshold. All subscriptions of the partner share it, so a new subscription to a known threshold reports no crossing again. The first evaluation compares with the latest earlier run_date. A side is deleted 90 days after the last subscription that covers it.',
  params: EndpointParams,
  query: noQuery,
  body: SubscriptionInput,
  success: { status: 201, kind: 'item', data: Subscription },
  errors: ['conflict'],
});

export const listSubscriptions = operation({
  ...partner,
  id: 'listSubscriptions',
  method: 'GET',
  path: '/webhook-endpoints/{endpointId}/subscriptions',
  summary: 'List the subscriptions of an endpoint',
  params: EndpointParams,
  query: PageQuery,
  body: null,
  success: { status: 200, kind: 'list', data: Subscription },
});

export const deleteSubscription = operation({
  ...partner,
  id: 'deleteSubscription',
  method: 'DELETE',
  path: '/webhook-endpoints/{endpointId}/subscriptions/{subscriptionId}',
  summary: 'Delete a subscription; deliveries already queued from it are kept',
  params: EndpointParams.extend({ subscriptionId: resourceId('subscription') }),
  query: noQuery,
  body: null,
  success: { status: 200, kind: 'item', data: Deleted },
});

export const listDeliveries = operation({
  ...partner,
  id: 'listDeliveries',
  method: 'GET',
  path: '/webhook-endpoints/{endpointId}/deliveries',
  summary: 'Read the delivery log of an endpoint, newest first',
  params: EndpointParams,
  query: z.object({
    ...page,
    status: DeliveryStatus.optional()
      .describe('Only deliveries with this status.')
      .meta({ examples: ['dead'] }),
  }),
  body: null,
  success: { status: 200, kind: 'list', data: Delivery },
});

export const replayDelivery = operation({
  ...partner,
  id: 'replayDelivery',
  method: 'POST',
  path: '/webhook-endpoints/{endpointId}/deliveries/{deliveryId}/replay',
  summary: 'Send a delivery again',
  params: EndpointParams.extend({ deliveryId: resourceId('delivery') }),
  query: noQuery,
  body: null,
  success: { status: 202, kind: 'item', data: Delivery },
  errors: ['delivery_in_flight', 'endpoint_disabled', 'link_revoked'],
});
