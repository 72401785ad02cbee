import { ApiError, operatorDisableEndpoint } from '@bv/contract';
import { route, runOnce } from '@bv/http';
import { changeState } from '../commands/require-verification.ts';
import type { Context } from '../context.ts';
import { lockEndpoint } from '../db/endpoints.ts';
import { presentEndpoint } from './present.ts';

export function operatorDisableEndpointRoute({ pool, now }: Context) {
  return route(operatorDisableEndpoint, async ({ params, caller }) =>
    runOnce(pool, caller, operatorDisableEndpoint, async (tx) => {
      const endpoint = await lockEndpoint(tx, { id: params.endpointId, partnerId: null });
      if (endpoint === undefined) throw new ApiError('not_found');
      if (endpoint.status === 'disabled') return { data: presentEndpoint(endpoint) };
      const disabled = await changeState(tx, endpoint, now(), (state) => ({ ...state, status: 'disabled' }));
      return { data: presentEndpoint(disabled) };
    }),
  );
}
