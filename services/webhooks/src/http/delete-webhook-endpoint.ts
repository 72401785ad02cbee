import { ApiError, deleteWebhookEndpoint } from '@bv/contract';
import { route, runOnce } from '@bv/http';
import type { Context } from '../context.ts';
import { deleteEndpoint, lockEndpoint } from '../db/endpoints.ts';
import { requirePartnerId } from './partner.ts';

export function deleteWebhookEndpointRoute({ pool, now }: Context) {
  return route(deleteWebhookEndpoint, async ({ params, caller }) => {
    const key = { id: params.endpointId, partnerId: requirePartnerId(caller) };
    return runOnce(pool, caller, deleteWebhookEndpoint, async (tx) => {
      if ((await lockEndpoint(tx, key)) === undefined) throw new ApiError('not_found');
      await deleteEndpoint(tx, key.id, now());
      return { data: { id: key.id, deleted: true as const } };
    });
  });
}
