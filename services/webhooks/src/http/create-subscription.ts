import { randomUUID } from 'node:crypto';
import { ApiError, type RequestBody, createSubscription } from '@bv/contract';
import { route } from '@bv/http';
import type { Transaction } from '@bv/postgres';
import { resolveScope, type Scope } from '../commands/resolve-scope.ts';
import type { Context } from '../context.ts';
import { findEndpoint, lockEndpoint } from '../db/endpoints.ts';
import {
  countSubscriptions,
  findEqualSubscription,
  insertSubscription,
  type NewSubscription,
} from '../db/subscriptions.ts';
import { requirePartnerId } from './partner.ts';
import { prepareAndRunOnce } from './prepare-once.ts';
import { presentSubscription } from './present.ts';

const maxSubscriptions = 100;

export function createSubscriptionRoute(context: Context) {
  const { pool, now } = context;
  return route(createSubscription, async ({ params, body, caller }) => {
    const key = { id: params.endpointId, partnerId: requirePartnerId(caller) };
    const prepare = async () => {
      if ((await findEndpoint(pool, key)) === undefined) throw new ApiError('not_found');
      return resolveScope(body, key.partnerId, context);
    };
    const work = async (tx: Transaction, scope: Scope) => {
      const subscription = toSubscription(key.id, body, scope, now());
      // The lock of the endpoint serialises inserts, so the count stays exact.
      if ((await lockEndpoint(tx, key)) === undefined) throw new ApiError('not_found');
      const row = await insertSubscription(tx, subscription);
      if (row === undefined) {
        const equal = await findEqualSubscription(tx, subscription);
        const message = 'The endpoint has an equal subscription';
        throw new ApiError('conflict', { message, details: { existing_id: equal?.id } });
      }
      if ((await countSubscriptions(tx, key.id)) > maxSubscriptions) {
        throw new ApiError('conflict', {
          message: `An endpoint has at most ${maxSubscriptions} subscriptions`,
        });
      }
      return { data: presentSubscription(row) };
    };
    return prepareAndRunOnce(pool, caller, createSubscription, { prepare, work });
  });
}

function toSubscription(
  endpointId: string,
  body: RequestBody<typeof createSubscription>,
  scope: Scope,
  at: Date,
): NewSubscription {
  const { event_type, threshold } = body;
  const isThreshold = threshold !== undefined;
  return {
    id: randomUUID(),
    endpoint_id: endpointId,
    event_type,
    org_id: scope.orgId,
    brand_id: scope.brandId,
    threshold: threshold ?? null,
    direction: isThreshold ? (body.direction ?? 'both') : null,
    country: body.country ?? null,
    at,
  };
}
