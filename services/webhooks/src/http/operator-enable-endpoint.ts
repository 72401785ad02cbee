import { ApiError, operatorEnableEndpoint } from '@bv/contract';
import { route, runOnce } from '@bv/http';
import { changeState } from '../commands/require-verification.ts';
import { sendPing } from '../commands/send-ping.ts';
import type { Context } from '../context.ts';
import { lockEndpoint } from '../db/endpoints.ts';
import { toUnverified } from '../domain/endpoint-state.ts';
import { presentEndpoint } from './present.ts';

export function operatorEnableEndpointRoute({ pool, now }: Context) {
  return route(operatorEnableEndpoint, async ({ params, caller }) =>
    runOnce(pool, caller, operatorEnableEndpoint, async (tx) => {
      const at = now();
      const endpoint = await lockEndpoint(tx, { id: params.endpointId, partnerId: null });
      if (endpoint === undefined) throw new ApiError('not_found');
      if (endpoint.status !== 'disabled') return { data: presentEndpoint(endpoint) };
      const enabled = await changeState(tx, endpoint, at, toUnverified);
      await sendPing(tx, endpoint, at);
      return { data: presentEndpoint(enabled) };
    }),
  );
}
