import { z } from 'zod';
import { operation } from '../operation.ts';
import { noParams, noQuery, page, PageQuery, resourceId } from '../parameters.ts';
import { Deleted } from '../resources/deleted.ts';
import { ChangeConfidence, ChangeWindowDays, ChangeMetric } from '../resources/score-comparison.ts';
import {
  Delivery,
  DeliveryRecovery,
  DeliveryStatus,
  SubscribableEvent,
  Subscription,
  ThresholdDirection,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
} from '../resources/webhook.ts';
import { PathId, text, Timestamp } from '../scalars.ts';

/** A URL as sent. The service checks that it is public (`url_not_public`). */
const Url = text(1, 2048).describe(
  '`https` URL that deliveries are sent to. Its host has public addresses only; the port is 443, or 1024 and above. No credentials, no fragment.',
);
const Description = text(0, 500, { allowControl: true }).describe('Your own text, for people.');
const EndpointParams = z.object({ endpointId: resourceId('webhook endpoint') });

const partner = { service: 'webhooks', partnerOnly: true } as const;

export const createWebhookEndpoint = operation({
  ...partner,
  id: 'createWebhookEndpoint',
  method: 'POST',
  path: '/webhook-endpoints',
  summary: 'Create an endpoint',
  description:
    'The URL is https with a public host. A ping is sent at once; when the receiver returns 2xx, the endpoint becomes `active`. Events before its first success are not sent, also not later. Store `secret`: no other response has it, except a replay with the same `Idempotency-Key`. A partner has at most 100 endpoints.',
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
  summary: 'List endpoints',
  description:
    'Pending, active, failing and disabled ones. Ordered by `id`. The signing secrets are never returned.',
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
  summary: 'Update an endpoint',
  description:
    'A new URL is verified like that of a new endpoint: `status` becomes `pending_verification`, a ping is sent, and other deliveries wait until it succeeds. Secret and subscriptions stay.',
  params: EndpointParams,
  query: noQuery,
  body: z
    .object({ url: Url.optional(), description: Description.optional() })
    .refine((patch) => patch.url !== undefined || patch.description !== undefined, {
      message: 'At least one of url, description is required',
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
  summary: 'Delete an endpoint',
  description:
    'Nothing is sent to it any more, waiting deliveries included. Its delivery log is no longer readable.',
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
  summary: 'Rotate the secret',
  description:
    'The new secret signs at once, and the old one also signs for 24 hours. A second rotation in that time ends the oldest secret at once. Store `secret`: no other response has it, except a replay with the same `Idempotency-Key`.',
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
  summary: 'Test an endpoint',
  description:
    'Sends `endpoint.ping`. A failed ping is not retried. The response is its delivery; read the outcome with `listDeliveries`. A ping that succeeds makes an endpoint `active` that was `pending_verification` or `failing`, and its waiting deliveries are sent.',
  params: EndpointParams,
  query: noQuery,
  body: null,
  success: { status: 202, kind: 'item', data: Delivery },
  errors: ['endpoint_disabled'],
});

const memberNames = ['threshold', 'direction', 'country', 'metric', 'window_days', 'confidence'] as const;
type Member = (typeof memberNames)[number];

/** What a subscription may say in addition to its organisation and brand. */
const membersByEvent: Record<z.infer<typeof SubscribableEvent>, readonly Member[]> = {
  'scan.completed': [],
  'score.threshold_crossed': ['threshold', 'direction', 'country'],
  'sentiment.threshold_crossed': ['threshold', 'direction', 'country'],
  'score.changed': ['metric', 'window_days', 'confidence', 'country'],
  'experiment.completed': [],
};

const eventTypeMeaning =
  '`scan.completed`: a scan has ended and is scored. `score.threshold_crossed`, `sentiment.threshold_crossed`: a series is on another side of `threshold`. `score.changed`: a figure moved by more than its answers vary. `experiment.completed`: the last day of an experiment is over.';

const SubscriptionInput = z
  .strictObject({
    event_type: SubscribableEvent.describe(eventTypeMeaning),
    org_id: PathId.nullable()
      .optional()
      .describe(
        'Only events of this organisation. When omitted or null: every organisation linked to you, now or later.',
      ),
    brand_id: PathId.nullable()
      .optional()
      .describe('Only events of this own brand. When omitted or null: every own brand.'),
    threshold: z
      .number()
      .min(0)
      .max(100)
      .optional()
      .describe(
        'Value of 0 to 100 whose crossing is an event. Required for threshold events, rejected for others. A value equal to the threshold is above it.',
      ),
    direction: ThresholdDirection.optional().describe(
      'Crossings that are sent: `up` to the threshold or above, `down` below it, or `both`, also when omitted. Threshold events only. The side is kept whatever the direction.',
    ),
    country: text(1, 256, { trim: true })
      .transform((token) => token.toUpperCase())
      .nullable()
      .optional()
      .describe(
        'Only the series of this market. When omitted or null: the series over all markets. Not for `scan.completed`.',
      ),
    metric: ChangeMetric.optional()
      .describe('Figure that is compared; `score` when omitted; `score.changed` only.')
      .meta({ examples: ['score'] }),
    window_days: ChangeWindowDays.optional()
      .describe('Days of each of the two windows, 7 or 28; 7 when omitted; `score.changed` only.')
      .meta({ examples: [7] }),
    confidence: ChangeConfidence.optional()
      .describe(
        'Least confidence of a change, 0.95, 0.99, 0.999 or 0.9999; `0.9999` when omitted. `0.95` is each `up` or `down` of `compareScores`. Higher levels also need equally long windows and more prompts. `score.changed` only.',
      )
      .meta({ examples: [0.9999] }),
  })
  .superRefine((input, ctx) => {
    const members = membersByEvent[input.event_type];
    if (members.includes('threshold') && input.threshold === undefined) {
      ctx.addIssue({ code: 'invalid_type', expected: 'number', input: undefined, path: ['threshold'] });
    }
    for (const member of memberNames) {
      if (members.includes(member) || input[member] === undefined || input[member] === null) continue;
      ctx.addIssue({
        code: 'custom',
        path: [member],
        message: `${member} is not for ${input.event_type}`,
        params: { code: 'invalid_value' },
      });
    }
  });

export const createSubscription = operation({
  ...partner,
  id: 'createSubscription',
  method: 'POST',
  path: '/webhook-endpoints/{endpointId}/subscriptions',
  summary: 'Create a subscription',
  description:
    'An endpoint has at most 100 subscriptions. An equal one is a `conflict`. Events that occurred before are not sent.\n\n**Thresholds.** The side of a threshold (above or below) is kept per partner, brand, series, metric and threshold. All subscriptions of the partner share it, so a new subscription to a known threshold reports no crossing again. The first evaluation compares with the latest earlier run_date. A side is deleted 90 days after the last subscription that covers it.\n\n**Changes.** `score.changed` compares the last `window_days` days with the same number before, once for each brand and day with scans. It is sent if the change has at least the `confidence`. For the same brand, metric, market and window, an endpoint receives the next one `2 × window_days − 1` days later at the earliest. Then window a is free of the days before that change.',
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
  summary: 'List subscriptions',
  description: 'The subscriptions of all event types. Ordered by `created_at`, then `id`.',
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
  summary: 'Delete a subscription',
  description:
    'Nothing new is sent for it. Deliveries that are already queued are sent; their `subscription_id` becomes null.',
  params: EndpointParams.extend({ subscriptionId: resourceId('subscription') }),
  query: noQuery,
  body: null,
  success: { status: 200, kind: 'item', data: Deleted },
});

export const DeliveryListQuery = z.object({
  ...page,
  status: DeliveryStatus.optional()
    .describe('Only deliveries with this status.')
    .meta({ examples: ['dead'] }),
});

/** Deliveries of a page that contains their events. Bounds the size of a response. */
export const maxPageEvents = 50;

export const listDeliveries = operation({
  ...partner,
  id: 'listDeliveries',
  method: 'GET',
  path: '/webhook-endpoints/{endpointId}/deliveries',
  summary: 'List deliveries',
  description:
    'One row per event and endpoint, with the count of its attempts and the outcome of the last one. Pings are included. Ordered by `created_at` and `id`, newest first. Deliveries are kept for 30 days. With `include=event` each row has the body of its event, for example for a receiver that runs without a public address.',
  params: EndpointParams,
  query: DeliveryListQuery.extend({
    include: z
      .enum(['event'])
      .optional()
      .describe(
        `\`event\` adds the body of each event. A page then has at most ${maxPageEvents} deliveries, whatever \`limit\` is.`,
      )
      .meta({ examples: ['event'], 'x-enum-varnames': ['event_body'] }),
  }),
  body: null,
  success: { status: 200, kind: 'list', data: Delivery },
});

export const replayDelivery = operation({
  ...partner,
  id: 'replayDelivery',
  method: 'POST',
  path: '/webhook-endpoints/{endpointId}/deliveries/{deliveryId}/replay',
  summary: 'Replay a delivery',
  description:
    'Queues the delivery again at once, with the same event id and a new series of attempts, whatever its status. Only an attempt in progress refuses it. For an endpoint that is not `active` it waits until a ping succeeds.',
  params: EndpointParams.extend({ deliveryId: resourceId('delivery') }),
  query: noQuery,
  body: null,
  success: { status: 202, kind: 'item', data: Delivery },
  errors: ['delivery_in_flight', 'endpoint_disabled', 'link_revoked'],
});

/** Earliest `since` of a recovery: deliveries are kept that long. */
export const maxRecoveryDays = 30;

export const recoverDeliveries = operation({
  ...partner,
  id: 'recoverDeliveries',
  method: 'POST',
  path: '/webhook-endpoints/{endpointId}/recover',
  summary: 'Recover dead deliveries',
  description:
    'Queues each delivery of the endpoint that is `dead` and was created at `since` or later, as `replayDelivery` does. Pings and deliveries of organisations that are no longer linked are omitted. For an endpoint that is not `active` the deliveries wait until a ping succeeds. It can be repeated: a delivery that waits, runs or has succeeded is not queued again.',
  params: EndpointParams,
  query: noQuery,
  body: z.object({
    since: Timestamp.describe(
      `Only deliveries created at this time (UTC) or later. At most ${maxRecoveryDays} days ago.`,
    ).meta({ examples: ['2026-11-20T09:00:00.000Z'] }),
  }),
  success: { status: 202, kind: 'item', data: DeliveryRecovery },
  errors: ['endpoint_disabled'],
});
