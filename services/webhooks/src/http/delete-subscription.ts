import { ApiError, deleteSubscription } from '@bv/contract';
import { route, runOnce } from '@bv/http';
import type { Context } from '../context.ts';
import { lockEndpoint } from '../db/endpoints.ts';
import { deleteSubscription as deleteRow } from '../db/subscriptions.ts';
import { requirePartnerId } from './partner.ts';

export function deleteSubscriptionRoute({ pool }: Context) {
  return route(deleteSubscription, async ({ params, caller }) => {
    const { endpointId, subscriptionId } = params;
    const partnerId = requirePartnerId(caller);
    return runOnce(pool, caller, deleteSubscription, async (tx) => {
      if ((await lockEndpoint(tx, { id: endpointId, partnerId })) === undefined)
        throw new ApiError('not_found');
      if (!(await deleteRow(tx, { id: subscriptionId, endpointId }))) throw new ApiError('not_found');
      return { data: { id: subscriptionId, deleted: true as const } };
    });
  });
}
