import { operatorDisableEndpoint, operatorEnableEndpoint } from '@bv/contract';
import { type Route, route, processOnce } from '@bv/http';
import { changeState, sendPing } from '../commands/endpoints.ts';
import type { Context } from '../context.ts';
import { toUnverified } from '../domain/endpoint-state.ts';
import { requireLockedEndpoint } from './endpoint-access.ts';
import { presentEndpoint } from './present.ts';

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
