import { ApiError, replayDelivery } from '@bv/contract';
import { route, runOnce } from '@bv/http';
import type { Context } from '../context.ts';
import { getDelivery, lockDelivery, updateDeliveryReplayed } from '../db/deliveries.ts';
import { wakeEndpoints } from '../db/endpoint-states.ts';
import { lockEndpoint } from '../db/endpoints.ts';
import { requirePartnerId } from './partner.ts';
import { presentDelivery } from './present.ts';

export function replayDeliveryRoute({ pool, now }: Context) {
  return route(replayDelivery, async ({ params, caller }) => {
    const { endpointId, deliveryId } = params;
    const partnerId = requirePartnerId(caller);
    return runOnce(pool, caller, replayDelivery, async (tx) => {
      const at = now();
      const endpoint = await lockEndpoint(tx, { id: endpointId, partnerId });
      const delivery = endpoint && (await lockDelivery(tx, { id: deliveryId, endpointId }));
      if (endpoint === undefined || delivery === undefined) throw new ApiError('not_found');
      // The link is checked before the endpoint: without a link, enabling the endpoint would not help.
      if (!delivery.linked) throw new ApiError('link_revoked');
      if (endpoint.status === 'disabled') throw new ApiError('endpoint_disabled');
      if (delivery.status === 'delivering') throw new ApiError('delivery_in_flight');
      await updateDeliveryReplayed(tx, deliveryId, at);
      await wakeEndpoints(tx, [endpointId], at);
      return { data: presentDelivery(await getDelivery(tx, deliveryId)) };
    });
  });
}
