import { ApiError, testWebhookEndpoint } from '@bv/contract';
import { route, runOnce } from '@bv/http';
import { sendPing } from '../commands/send-ping.ts';
import type { Context } from '../context.ts';
import { getDelivery } from '../db/deliveries.ts';
import { lockEndpoint } from '../db/endpoints.ts';
import { requirePartnerId } from './partner.ts';
import { presentDelivery } from './present.ts';

export function testWebhookEndpointRoute({ pool, now }: Context) {
  return route(testWebhookEndpoint, async ({ params, caller }) => {
    const key = { id: params.endpointId, partnerId: requirePartnerId(caller) };
    return runOnce(pool, caller, testWebhookEndpoint, async (tx) => {
      const endpoint = await lockEndpoint(tx, key);
      if (endpoint === undefined) throw new ApiError('not_found');
      if (endpoint.status === 'disabled') throw new ApiError('endpoint_disabled');
      const deliveryId = await sendPing(tx, endpoint, now());
      return { data: presentDelivery(await getDelivery(tx, deliveryId)) };
    });
  });
}
