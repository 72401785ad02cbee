import type { Route } from '@bv/http';
import type { Context } from '../context.ts';
import {
  listDeliveriesRoute,
  recoverDeliveriesRoute,
  replayDeliveryRoute,
  testWebhookEndpointRoute,
} from './deliveries.ts';
import {
  createWebhookEndpointRoute,
  deleteWebhookEndpointRoute,
  listWebhookEndpointsRoute,
  rotateWebhookSecretRoute,
  updateWebhookEndpointRoute,
} from './endpoints.ts';
import { operatorDisableEndpointRoute, operatorEnableEndpointRoute } from './operator-endpoints.ts';
import { createSubscriptionRoute, deleteSubscriptionRoute, listSubscriptionsRoute } from './subscriptions.ts';

/** Every operation of this service. */
export function createRoutes(ctx: Context): Route[] {
  return [
    createWebhookEndpointRoute(ctx),
    listWebhookEndpointsRoute(ctx),
    updateWebhookEndpointRoute(ctx),
    deleteWebhookEndpointRoute(ctx),
    rotateWebhookSecretRoute(ctx),
    testWebhookEndpointRoute(ctx),
    createSubscriptionRoute(ctx),
    listSubscriptionsRoute(ctx),
    deleteSubscriptionRoute(ctx),
    listDeliveriesRoute(ctx),
    replayDeliveryRoute(ctx),
    recoverDeliveriesRoute(ctx),
    operatorDisableEndpointRoute(ctx),
    operatorEnableEndpointRoute(ctx),
  ];
}
