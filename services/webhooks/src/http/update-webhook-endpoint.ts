import { ApiError, updateWebhookEndpoint } from '@bv/contract';
import { route } from '@bv/http';
import type { Transaction } from '@bv/postgres';
import { checkUrl } from '../commands/check-url.ts';
import { requireVerification } from '../commands/require-verification.ts';
import type { Context } from '../context.ts';
import { findEndpoint, lockEndpoint, updateEndpointDescription, updateEndpointUrl } from '../db/endpoints.ts';
import { requirePartnerId } from './partner.ts';
import { prepareAndRunOnce } from './prepare-once.ts';
import { presentEndpoint } from './present.ts';

export function updateWebhookEndpointRoute(context: Context) {
  const { pool, now } = context;
  return route(updateWebhookEndpoint, async ({ params, body, caller }) => {
    const key = { id: params.endpointId, partnerId: requirePartnerId(caller) };
    const prepare = async () => {
      // The endpoint is checked before the URL: a foreign endpoint is always `not_found`.
      if ((await findEndpoint(pool, key)) === undefined) throw new ApiError('not_found');
      if (body.url !== undefined) await checkUrl(body.url, context);
    };
    const work = async (tx: Transaction) => {
      const at = now();
      let endpoint = await lockEndpoint(tx, key);
      if (endpoint === undefined) throw new ApiError('not_found');
      const { url, description } = body;
      if (description !== undefined && description !== endpoint.description) {
        endpoint = await updateEndpointDescription(tx, { id: key.id, description, at });
      }
      if (url !== undefined && url !== endpoint.url) {
        endpoint = await updateEndpointUrl(tx, { id: key.id, url, at });
        endpoint = await requireVerification(tx, endpoint, at);
      }
      return { data: presentEndpoint(endpoint) };
    };
    return prepareAndRunOnce(pool, caller, updateWebhookEndpoint, { prepare, work });
  });
}
