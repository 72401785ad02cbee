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
import {
  operatorGetDeliveryRoute,
  operatorGetWebhookEventRoute,
  operatorListEndpointDeliveriesRoute,
  operatorListWebhookEventsRoute,
} from './operator-deliveries.ts';
import {
  operatorDisableEndpointRoute,
  operatorEnableEndpointRoute,
  operatorGetEndpointRoute,
  operatorListEndpointsRoute,
} from './operator-endpoints.ts';
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
    operatorListEndpointsRoute(ctx),
    operatorGetEndpointRoute(ctx),
    operatorListEndpointDeliveriesRoute(ctx),
    operatorGetDeliveryRoute(ctx),
    operatorListWebhookEventsRoute(ctx),
    operatorGetWebhookEventRoute(ctx),
    operatorDisableEndpointRoute(ctx),
    operatorEnableEndpointRoute(ctx),
  ];
}
