import type { Route } from '@bv/http';
import type { Context } from '../context.ts';
import { createSubscriptionRoute } from './create-subscription.ts';
import { createWebhookEndpointRoute } from './create-webhook-endpoint.ts';
import { deleteSubscriptionRoute } from './delete-subscription.ts';
import { deleteWebhookEndpointRoute } from './delete-webhook-endpoint.ts';
import { listDeliveriesRoute } from './list-deliveries.ts';
import { listSubscriptionsRoute } from './list-subscriptions.ts';
import { listWebhookEndpointsRoute } from './list-webhook-endpoints.ts';
import { operatorDisableEndpointRoute } from './operator-disable-endpoint.ts';
import { operatorEnableEndpointRoute } from './operator-enable-endpoint.ts';
import { replayDeliveryRoute } from './replay-delivery.ts';
import { rotateWebhookSecretRoute } from './rotate-webhook-secret.ts';
import { testWebhookEndpointRoute } from './test-webhook-endpoint.ts';
import { updateWebhookEndpointRoute } from './update-webhook-endpoint.ts';

/** Every operation of this service. */
export function routes(context: Context): Route[] {
  return [
    createWebhookEndpointRoute(context),
    listWebhookEndpointsRoute(context),
    updateWebhookEndpointRoute(context),
    deleteWebhookEndpointRoute(context),
    rotateWebhookSecretRoute(context),
    testWebhookEndpointRoute(context),
    createSubscriptionRoute(context),
    listSubscriptionsRoute(context),
    deleteSubscriptionRoute(context),
    listDeliveriesRoute(context),
    replayDeliveryRoute(context),
    operatorDisableEndpointRoute(context),
    operatorEnableEndpointRoute(context),
  ];
}
