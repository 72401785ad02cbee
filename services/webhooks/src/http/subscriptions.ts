import { randomUUID } from 'node:crypto';
import {
  ApiError,
  createSubscription,
  deleteSubscription,
  listSubscriptions,
  type RequestBody,
} from '@bv/contract';
import { isPurged } from '@bv/events';
import { type Route, route, processOnce } from '@bv/http';
import { buildPage, parsePage, startPosition, toCreatedAtPosition } from '@bv/pagination';
import type { Transaction } from '@bv/postgres';
import { resolveScope, type Scope } from '../commands/resolve-scope.ts';
import type { Context } from '../context.ts';
import {
  countSubscriptions,
  deleteSubscriptionRow,
  findEqualSubscription,
  insertSubscription,
  listSubscriptionRows,
  type NewSubscription,
  type SubscriptionRow,
} from '../db/subscriptions.ts';
import { requireEndpoint, requireLockedEndpoint, requirePartnerId } from './endpoint-access.ts';
import { prepareAndProcessOnce } from './prepare-once.ts';
import { presentSubscription } from './present.ts';

const maxSubscriptions = 100;

export function createSubscriptionRoute(ctx: Context): Route {
  const { pool, now } = ctx;
  return route(createSubscription, async ({ params, body, caller }) => {
    const key = { id: params.endpointId, partnerId: requirePartnerId(caller) };
    const prepare = async () => {
      await requireEndpoint(pool, key);
      return resolveScope(body, key.partnerId, ctx);
    };
    const work = async (tx: Transaction, scope: Scope) => {
      const subscription = toSubscription(key.id, body, scope, now());
      // The lock of the endpoint serialises inserts, so the count stays exact.
      await requireLockedEndpoint(tx, key);
      if (scope.orgId !== null && (await isPurged(tx, scope.orgId))) throw new ApiError('not_found');
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
    return prepareAndProcessOnce(pool, caller, createSubscription, { prepare, work });
  });
}

function toSubscription(
  endpointId: string,
  body: RequestBody<typeof createSubscription>,
  scope: Scope,
  at: Date,
): NewSubscription {
  const { event_type, threshold, country = null } = body;
  const isThreshold = threshold !== undefined;
  const isChange = event_type === 'score.changed';
  return {
    id: randomUUID(),
    endpoint_id: endpointId,
    event_type,
    org_id: scope.orgId,
    brand_id: scope.brandId,
    threshold: threshold ?? null,
    direction: isThreshold ? (body.direction ?? 'both') : null,
    country,
    metric: isChange ? (body.metric ?? 'score') : null,
    window_days: isChange ? (body.window_days ?? 7) : null,
    confidence: isChange ? (body.confidence ?? 0.9999) : null,
    at,
  };
}

export function listSubscriptionsRoute({ pool, cursors }: Context): Route {
  return route(listSubscriptions, async ({ params, query, caller }) => {
    const { endpointId } = params;
    await requireEndpoint(pool, { id: endpointId, partnerId: requirePartnerId(caller) });
    const list = { operation: listSubscriptions.id, collection: [endpointId] };
    const page = parsePage(cursors, list, query);
    const after = toCreatedAtPosition(page) ?? startPosition;
    const rows = await listSubscriptionRows(pool, { endpointId, after, limit: page.limit + 1 });
    const toSortKey = ({ created_at, id }: SubscriptionRow) => [created_at, id];
    return buildPage(cursors, page, { rows, toSortKey, present: presentSubscription });
  });
}

export function deleteSubscriptionRoute({ pool }: Context): Route {
  return route(deleteSubscription, async ({ params, caller }) => {
    const { endpointId, subscriptionId } = params;
    const partnerId = requirePartnerId(caller);
    return processOnce(pool, caller, deleteSubscription, async (tx) => {
      await requireLockedEndpoint(tx, { id: endpointId, partnerId });
      const isDeleted = await deleteSubscriptionRow(tx, { id: subscriptionId, endpointId });
      if (!isDeleted) throw new ApiError('not_found');
      return { data: { id: subscriptionId, deleted: true as const } };
    });
  });
}
