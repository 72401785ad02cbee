import {
  ApiError,
  operatorDisableEndpoint,
  operatorEnableEndpoint,
  operatorGetEndpoint,
  operatorListEndpoints,
} from '@bv/contract';
import { maxCounted } from '@bv/events';
import { type Route, route, processOnce } from '@bv/http';
import { buildPage, parsePage, toIdPosition, zeroUuid } from '@bv/pagination';
import { changeState, sendPing } from '../commands/endpoints.ts';
import type { Context } from '../context.ts';
import type { EndpointRow } from '../db/endpoints.ts';
import { countOfEndpoint, findAnyEndpoint, listAllEndpoints } from '../db/operator-reads.ts';
import { toUnverified } from '../domain/endpoint-state.ts';
import { requireLockedEndpoint } from './endpoint-access.ts';
import { findNames } from './names.ts';
import { presentEndpoint } from './present.ts';

export function operatorListEndpointsRoute({ pool, nats, cursors }: Context): Route {
  return route(operatorListEndpoints, async ({ query: { cursor, limit, ...filters } }) => {
    const list = { operation: operatorListEndpoints.id, collection: [], filters };
    const page = parsePage(cursors, list, { cursor, limit });
    const rows = await listAllEndpoints(pool, {
      partnerId: page.filters.partner_id ?? null,
      status: page.filters.status ?? null,
      afterId: toIdPosition(page) ?? zeroUuid,
      limit: limit + 1,
    });
    const shown = rows.slice(0, limit);
    const namesOf = await findNames(nats, shown);
    const present = (row: EndpointRow) => {
      const { partner_id, partner_name } = namesOf(row);
      return { ...presentEndpoint(row), partner_id, partner_name };
    };
    return buildPage(cursors, page, { rows, toSortKey: ({ id }) => [id], present });
  });
}

export function operatorGetEndpointRoute({ pool, nats }: Context): Route {
  return route(operatorGetEndpoint, async ({ params: { endpointId } }) => {
    const endpoint = await findAnyEndpoint(pool, endpointId);
    if (endpoint === undefined) throw new ApiError('not_found');
    const { partner_id, partner_name } = (await findNames(nats, [endpoint]))(endpoint);
    const counts = await countOfEndpoint(pool, endpointId, maxCounted);
    return { data: { ...presentEndpoint(endpoint), partner_id, partner_name, ...counts } };
  });
}

export function operatorDisableEndpointRoute({ pool, now }: Context): Route {
  return route(operatorDisableEndpoint, async ({ params, caller }) =>
    processOnce(pool, caller, operatorDisableEndpoint, async (tx) => {
      const endpoint = await requireLockedEndpoint(tx, { id: params.endpointId, partnerId: null });
      if (endpoint.status === 'disabled') return { data: presentEndpoint(endpoint) };
      const disabled = await changeState(tx, endpoint, now(), (state) => ({ ...state, status: 'disabled' }));
      return { data: presentEndpoint(disabled) };
    }),
  );
}

export function operatorEnableEndpointRoute({ pool, now }: Context): Route {
  return route(operatorEnableEndpoint, async ({ params, caller }) =>
    processOnce(pool, caller, operatorEnableEndpoint, async (tx) => {
      const at = now();
      const endpoint = await requireLockedEndpoint(tx, { id: params.endpointId, partnerId: null });
      if (endpoint.status !== 'disabled') return { data: presentEndpoint(endpoint) };
      const enabled = await changeState(tx, endpoint, at, toUnverified);
      await sendPing(tx, endpoint, at);
      return { data: presentEndpoint(enabled) };
    }),
  );
}
