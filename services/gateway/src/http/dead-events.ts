import { ApiError } from '@bv/contract';
import { RpcUnavailable, callRpc } from '@bv/events';
import type { RpcReply, Rpc } from '@bv/events';
import type { z } from 'zod';
import { servicesWithDeadEvents } from '../domain/services.ts';
import type { Messaging } from '../events/messaging.ts';
import { presentTime } from './present.ts';

type Times = { created_at: string; last_failed_at: string; redriven_at: string | null };

/** Converts the row of a service to the form of the operator API. */
export function presentDeadEvent<R extends Times>(service: string, row: R) {
  const created_at = presentTime(row.created_at);
  return {
    ...row,
    service,
    created_at,
    first_failed_at: created_at,
    last_failed_at: presentTime(row.last_failed_at),
    redriven_at: row.redriven_at === null ? null : presentTime(row.redriven_at),
  };
}

/** Converts a failed call to 503. A list without the service would suggest that it has no dead-letter events. */
export function toUnavailable(service: string, error: unknown, what = 'dead-letter events'): unknown {
  if (!(error instanceof RpcUnavailable)) return error;
  const message = `The ${what} of ${service} cannot be read now`;
  return new ApiError('api_unavailable', { message, retryAfterSeconds: 5, cause: error });
}

type ById<Reply extends z.ZodType> = Rpc<z.ZodType<{ id: string }>, Reply>;

/** Calls all services, because only the one that stores the event knows its id. One without a reply may store it. */
export async function callHolder<Reply extends z.ZodType>(
  messaging: Messaging,
  { id, rpc, timeoutMs }: { id: string; rpc: (service: string) => ById<Reply>; timeoutMs: number },
): Promise<{ service: string; row: NonNullable<RpcReply<ById<Reply>>> }> {
  const replies = await Promise.allSettled(
    servicesWithDeadEvents.map(async (service) => {
      const reply = await callRpc(messaging.nats(), rpc(service), { id }, { timeoutMs }).catch(
        (error: unknown) => {
          throw toUnavailable(service, error);
        },
      );
      return { service, row: reply };
    }),
  );
  for (const reply of replies) {
    if (reply.status !== 'fulfilled') continue;
    const { service, row } = reply.value;
    if (row !== null && row !== undefined) return { service, row };
  }
  const failed = replies.find((reply) => reply.status === 'rejected');
  throw failed === undefined ? new ApiError('not_found') : failed.reason;
}
